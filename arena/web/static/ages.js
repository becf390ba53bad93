// Says how long ago moments were, and goes on doing so while the page is open; and says moments in the visitor's
// own time next to UTC.
//
// <time datetime="2026-07-07T07:07:00+00:00" data-ago>2026-07-07 07:07 UTC</time>
// <time datetime="2026-07-07T07:07:00+00:00">2026-07-07 07:07 UTC</time>
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];
const EVERY_MS = 30000;

function ago(seconds) {
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [];
  if (!size) return "just now";
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count > 1 ? "s" : ""} ago`;
}

const two = (number) => String(number).padStart(2, "0");

/** Returns a text in UTC followed by the same moment here, if that differs. */
function withLocal(utc, moment) {
  const at = new Date(moment);
  if (!at.getTimezoneOffset()) return utc;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} `;
  return `${utc} (${utc.startsWith(day) ? "" : day}${two(at.getHours())}:${two(at.getMinutes())} here)`;
}

function tell() {
  for (const time of document.querySelectorAll("time[datetime]:not([data-ago], [data-here])")) {
    time.dataset.here = "";
    time.textContent = withLocal(time.textContent, time.dateTime);
  }
  for (const time of document.querySelectorAll("time[data-ago]")) {
    time.title ||= withLocal(time.textContent, time.dateTime);
    const text = ago((Date.now() - Date.parse(time.dateTime)) / 1000);
    if (time.textContent !== text) time.textContent = text;
  }
}

tell();
setInterval(tell, EVERY_MS);
// Parts of a page are swapped for newer ones.
new MutationObserver(tell).observe(document.body, { childList: true, subtree: true });
