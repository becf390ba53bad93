//! Generates the protocol's types from `proto/`. The compiler is a crate, so protoc is not needed.

use std::error::Error;

const SERVICE: &str = "sevens/bot/v1/bot_service.proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let descriptors = protox::compile([SERVICE], ["proto"])?;
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds(descriptors)?;
    Ok(())
}
