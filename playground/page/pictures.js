// Images and files, and the full-screen view of an image.

import { $, button, h, linkOut } from "./dom.js";

/** One image at full column width, or several side by side. `items` have media, description and spoiler. */
export function gallery(items) {
  const pictures = items.map((item) => picture(item.media, item.description, item.spoiler));
  return h("div", { class: items.length > 1 ? "gallery several" : "gallery" }, ...pictures);
}

/** An image in its natural proportions. A tap opens the full-screen view. */
export function picture(media, description, spoiler = false) {
  const alt = description || media.filename || "Picture without a description";
  const measures = media.width ? `--ratio: ${media.width / media.height}; --natural: ${media.width}px` : null;
  const image = h("img", { src: media.url, alt, width: media.width, height: media.height, decoding: "async" });
  const tap = (event) => {
    const frame = event.currentTarget;
    if (frame.classList.contains("veiled")) frame.classList.remove("veiled");
    else view(media, description);
  };
  return button(image, spoiler ? "picture veiled" : "picture", tap, { title: "Show full size", style: measures });
}

/** A file other than an image. */
export function fileLink(file) {
  const size = file.size ? ` (${Math.max(1, Math.round(file.size / 1024))} KB)` : "";
  return linkOut(`${file.filename}${size}`, file.url, "file");
}

/** The full-screen view of an image, with its description below. */
function view(media, description) {
  const viewer = $("viewer");
  const full = h("img", { src: media.url, alt: description || "", class: "full" });
  full.addEventListener("click", () => full.classList.toggle("natural"));
  const words = h("p", { class: "alt", tabindex: "0" }, description || "No description.");
  const close = button("Close", "button secondary", () => viewer.close());
  viewer.replaceChildren(
    h("div", { class: "viewer-frame" }, full),
    h("div", { class: "viewer-foot" }, words, close),
  );
  viewer.showModal();
}
