// What is wrong with the page, as far as a program can see it.
const faults = [];
const box = (element) => element.getBoundingClientRect();
const overlap = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

const window_width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > window_width) {
  faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
}
const sections = [...document.querySelectorAll("section[id]:not(#claims)")];
const blocks = sections.flatMap((section) => [...section.children]);
for (let k = 1; k < blocks.length; k++) {
  if (overlap(box(blocks[k - 1]), box(blocks[k]))) {
    faults.push(`"${blocks[k].textContent.slice(0, 40)}" lies over what is before it`);
  }
}
const figures = [...document.querySelectorAll("figure")];
for (const figure of figures) {
  const name = figure.querySelector("figcaption").textContent;
  const picture = figure.querySelector(":scope > svg");
  const frame = box(picture);
  if (frame.width < 100 || frame.height < 60) faults.push(`${name}: too small`);
  if (!picture.querySelector(".line, .mark, rect")) faults.push(`${name}: empty`);
  if (figure.querySelectorAll(".legend li").length !== new Set([...figure.querySelectorAll(".legend li")].map((li) => li.textContent)).size) {
    faults.push(`${name}: two series of one name`);
  }
  const texts = [...picture.querySelectorAll("text")].map((text) => [text.textContent, box(text)]);
  texts.forEach(([words, a], k) => {
    if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 || a.bottom > frame.bottom + 1) {
      faults.push(`${name}: "${words}" is cut off`);
    }
    for (const [others, b] of texts.slice(k + 1)) {
      if (overlap(a, b)) faults.push(`${name}: "${words}" and "${others}" overlap`);
    }
  });
}
const tables = [...document.querySelectorAll("table")];
for (const table of tables) {
  if (table.querySelectorAll("tbody tr").length === 0) faults.push("a table without rows");
}
for (const link of document.querySelectorAll('a[href^="#"]')) {
  if (!document.getElementById(link.getAttribute("href").slice(1))) {
    faults.push(`${link.getAttribute("href")} leads nowhere`);
  }
}
if (/NaN|Infinity|undefined/.test(document.body.innerText)) faults.push("a number that is none");
const found = { width: window.innerWidth, sections: sections.length, figures: figures.length, tables: tables.length, faults };
document.body.append(Object.assign(document.createElement("pre"), { id: "found", textContent: JSON.stringify(found) }));
