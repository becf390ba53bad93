//! The settings from the environment: the arena's address, and the bot's identity.

use std::fs;
use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::failure::Failure;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Notices when a remote arena has vanished. gRPC servers allow only one ping in 5 minutes.
const KEEPALIVE: Duration = Duration::from_secs(310);

#[derive(Debug)]
pub(crate) struct Settings {
    pub address: String,
    pub endpoint: Endpoint,
    pub token: String,
    pub matches_at_once: u32,
}

impl Settings {
    /// Reads the settings from an environment, where an empty variable counts as not set.
    pub fn read(
        environment: impl Fn(&str) -> Option<String>,
        matches_at_once: u32,
    ) -> Result<Self, Failure> {
        // A file of variables that was written on Windows leaves a carriage return behind each.
        let variable = |name: &str| {
            environment(name)
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let (Some(address), Some(token)) = (variable("ARENA_ADDRESS"), variable("ARENA_TOKEN"))
        else {
            let missing = ["ARENA_ADDRESS", "ARENA_TOKEN"].map(|name| match variable(name) {
                None => Some(name),
                Some(_) => None,
            });
            let missing: Vec<&str> = missing.into_iter().flatten().collect();
            return Err(Failure::WrongSettings(format!(
                "This bot is started by the arena; to try it, give the folder of its bot.toml: \
                 arena play xeri FOLDER builtin:random\n(Not set in the environment: {}.)",
                missing.join(", ")
            )));
        };
        let number = variable("ARENA_MATCHES_AT_ONCE").unwrap_or(matches_at_once.to_string());
        Ok(Self {
            endpoint: endpoint(&address, variable)?,
            address,
            token,
            matches_at_once: positive(&number)?,
        })
    }
}

fn positive(text: &str) -> Result<u32, Failure> {
    match text.parse() {
        Ok(number) if number > 0 && !text.starts_with('+') => Ok(number),
        _ => Err(Failure::WrongSettings(format!(
            "The number of matches at once has to be 1 or more, not {text:?}."
        ))),
    }
}

fn endpoint(address: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Endpoint, Failure> {
    let here = address.starts_with("unix:");
    let tls = !here && variable("ARENA_TLS").is_some_and(|value| value == "1");
    let uri = match (here, tls) {
        (true, _) => address.to_owned(),
        (false, true) => format!("https://{address}"),
        (false, false) => format!("http://{address}"),
    };
    let wrong = |_| {
        Failure::WrongSettings(format!(
            "ARENA_ADDRESS has to be unix:/path or host:port, not {address:?}."
        ))
    };
    let endpoint = Endpoint::from_shared(uri)
        .map_err(wrong)?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(KEEPALIVE);
    if !tls {
        return Ok(endpoint);
    }
    let trusted = match variable("ARENA_TLS_CA") {
        Some(path) => ClientTlsConfig::new().ca_certificate(certificate(&path)?),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    endpoint.tls_config(trusted).map_err(wrong)
}

fn certificate(path: &str) -> Result<Certificate, Failure> {
    match fs::read(path) {
        Ok(pem) => Ok(Certificate::from_pem(pem)),
        Err(error) => Err(Failure::WrongSettings(format!(
            "ARENA_TLS_CA names {path}, which cannot be read: {error}."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARENA: [(&str, &str); 2] = [
        ("ARENA_ADDRESS", "unix:/run/arena.sock"),
        ("ARENA_TOKEN", "secret"),
    ];

    /// Reads an environment in which later values replace earlier ones.
    fn read(environment: &[(&str, &str)]) -> Result<Settings, String> {
        let find = |name: &str| {
            let found = environment.iter().rev().find(|(key, _)| *key == name)?;
            Some(found.1.to_owned())
        };
        Settings::read(find, 2).map_err(|failure| failure.to_string())
    }

    #[test]
    fn settings_come_from_the_environment() {
        let settings = read(&ARENA).unwrap();
        assert_eq!(settings.address, "unix:/run/arena.sock");
        assert_eq!(settings.token, "secret");
        assert_eq!(settings.matches_at_once, 2);
        let many = [ARENA[0], ARENA[1], ("ARENA_MATCHES_AT_ONCE", "64")];
        assert_eq!(read(&many).unwrap().matches_at_once, 64);
    }

    #[test]
    fn what_is_missing_is_named() {
        let sentence = read(&ARENA[..1]).unwrap_err();
        assert!(sentence.ends_with("(Not set in the environment: ARENA_TOKEN.)"));
        let sentence = read(&[("ARENA_TOKEN", "")]).unwrap_err();
        assert!(sentence.ends_with("(Not set in the environment: ARENA_ADDRESS, ARENA_TOKEN.)"));
    }

    #[test]
    fn a_wrong_number_of_matches_is_explained() {
        for number in ["0", "-1", "+1", "many", "²"] {
            let environment = [ARENA[0], ARENA[1], ("ARENA_MATCHES_AT_ONCE", number)];
            assert_eq!(
                read(&environment).unwrap_err(),
                format!("The number of matches at once has to be 1 or more, not {number:?}.")
            );
        }
    }

    #[test]
    fn a_wrong_address_is_explained() {
        let environment = [ARENA[1], ("ARENA_ADDRESS", "my arena:7007")];
        assert_eq!(
            read(&environment).unwrap_err(),
            "ARENA_ADDRESS has to be unix:/path or host:port, not \"my arena:7007\"."
        );
    }

    #[test]
    fn tls_is_for_addresses_elsewhere() {
        let far = [ARENA[1], ("ARENA_ADDRESS", "arena.example:7007")];
        let scheme = |environment: &[_]| {
            let endpoint = read(environment).unwrap().endpoint;
            endpoint.uri().scheme_str().unwrap().to_owned()
        };
        assert_eq!(scheme(&far), "http");
        assert_eq!(scheme(&[far[0], far[1], ("ARENA_TLS", "0")]), "http");
        assert_eq!(scheme(&[far[0], far[1], ("ARENA_TLS", "1")]), "https");
        assert!(read(&[ARENA[0], ARENA[1], ("ARENA_TLS", "1")]).is_ok());
        let no_file = [
            far[0],
            far[1],
            ("ARENA_TLS", "1"),
            ("ARENA_TLS_CA", "/no/ca.pem"),
        ];
        let sentence = read(&no_file).unwrap_err();
        assert!(sentence.starts_with("ARENA_TLS_CA names /no/ca.pem, which cannot be read: "));
    }
}
