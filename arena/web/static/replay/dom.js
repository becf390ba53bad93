// Elements, made in one call.

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element with these attributes (null and false: left out) and children. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Returns an element of SVG. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== ""));
  return made;
}

/** Calls once the next frame, which has the picture of the table, has been drawn. */
export function afterPicture(call) {
  requestAnimationFrame(() => requestAnimationFrame(call));
}
