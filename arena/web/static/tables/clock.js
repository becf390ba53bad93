// The time left for a decision, counted down.

const SHORT_MS = 10_000;

/** Counts down while the person owes a decision, and calls `expired()` when the time is up. Returns
 *  `end()`. */
export function clock(sitting, expired) {
  const display = sitting.querySelector("[data-clock]");
  if (!display) return { end() {} };
  const until = performance.now() + Number(sitting.dataset.left);
  const tick = () => {
    const left = Math.max(0, until - performance.now());
    display.textContent = inWords(left);
    display.classList.toggle("short", left < SHORT_MS);
    if (left > 0) return;
    clearInterval(timer);
    expired();
  };
  const timer = setInterval(tick, 250);
  return { end: () => clearInterval(timer) };
}

function inWords(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
