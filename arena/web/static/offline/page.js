/**
 * The page of a file that holds one match: replays it in every view, and verifies its record.
 *
 * The fragment of its address, such as `#seat=1&at=37`, names the view and the decision.
 */

import { reveal } from "../replay/fit.js";
import { mount } from "../replay/mount.js";
import { offerVerification } from "../verify/button.js";

const SPECTATOR = "";
const SETTLED_MS = 150; // browsers refuse an address that changes hundreds of times in some seconds

const recordText = document.getElementById("record").textContent;

offerVerification(document.querySelector(".verify"), () => recordText);
offerToSave(document.getElementById("save"));
unpacked(document.getElementById("documents").textContent).then(replay);

/** Draws the view that the address names, and follows it when it changes. */
function replay({ views, analysis }) {
  let settling = null;
  let mounted = null;
  let drawn = null;

  function draw() {
    clearTimeout(settling);
    mounted?.close();
    drawn = location.hash;
    const wanted = new URLSearchParams(location.hash.slice(1));
    const seat = wanted.get("seat") ?? SPECTATOR;
    const shown = views.find((one) => String(one.seat ?? SPECTATOR) === seat) ?? views[0];
    mounted = mount(document.getElementById("replay"), shown, {
      analysis,
      at: Number(wanted.get("at")) || null,
      address,
      moved: (decision) => {
        clearTimeout(settling);
        settling = setTimeout(() => remember(address(shown.seat, decision)), SETTLED_MS);
      },
    });
  }

  function remember(decision) {
    if (location.hash !== drawn) return; // a link has just been followed, and is drawn next
    history.replaceState(null, "", decision);
    drawn = location.hash;
  }

  addEventListener("hashchange", draw);
  draw();
  reveal(document.getElementById("replay"));
}

function address(seat, decision) {
  return `#${new URLSearchParams({ ...(seat === null ? {} : { seat }), at: decision })}`;
}

/** Returns what base64, deflate and JSON hide. */
async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function offerToSave(button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([recordText], { type: "application/json" }));
    link.download = "record.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
