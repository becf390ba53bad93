// The part of a match's page that holds its analysis: asks for one, and looks until there is one.

const LOOK_MS = 3000;
const PENDING = ["waiting", "running"];

/** Lets the form of the part act within the page. Calls `done()` once an analysis is there that was
 *  not there before. */
export function awaitAnalysis(part, done) {
  let timer = null;
  let text = null;
  const state = () => part.querySelector("[data-state]").dataset.state;

  async function look() {
    clearTimeout(timer);
    timer = null;
    const address = new URL(location.href);
    address.searchParams.set("part", part.id);
    const answer = await fetch(address).catch(() => null); // what failed is asked the next time
    const found = answer?.ok ? await answer.text() : text;
    if (found !== null && found !== text) part.replaceChildren(document.createRange().createContextualFragment(found));
    text = found;
    if (state() === "done") done();
    else lookLater();
  }
  function lookLater() {
    if (timer === null && !document.hidden && PENDING.includes(state())) timer = setTimeout(look, LOOK_MS);
  }

  part.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const sent = { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" };
    const answer = await fetch(form.action, sent).catch(() => null);
    if (answer?.type === "opaqueredirect") look();
    else form.submit(); // its answer says what is wrong
  });
  document.addEventListener("visibilitychange", lookLater);
  lookLater();
}
