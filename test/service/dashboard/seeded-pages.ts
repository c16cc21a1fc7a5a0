// Realistic pages with their own CSS, images and a form.

const STYLE = `<style>
body{margin:0;font:18px/1.6 Georgia,serif;color:#2b1a12;background:#fff8ef}
header{display:flex;gap:24px;align-items:center;padding:20px 6vw;background:#8a3d1e;color:#fff8ef}
header a{color:inherit}header strong{margin-right:auto;font-size:24px}
main{max-width:60rem;margin:0 auto;padding:48px 6vw}
h1{font-size:56px;line-height:1.05;margin:0 0 24px}
img{width:100%;height:auto;border-radius:12px}
.button{display:inline-block;padding:12px 24px;background:#c99a2e;color:#2b1a12;border-radius:8px;font-weight:700}
label{display:block;margin:0 0 16px}input,textarea{display:block;width:100%;padding:10px;font:inherit}
</style>`;

const HEADER = `<header><strong>Crumb &amp; Crust</strong><a href="/p/start">Bread</a><a href="/p/contact">Contact</a></header>`;

export function startHtml(picture: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bread from our own oven</title>${STYLE}</head><body>${HEADER}<main>
<h1>Bread that took its time</h1><p>Every loaf rests for two days before it meets the fire.</p>
<p><a class="button" href="/p/contact">Order a loaf</a></p>
<img src="${picture}" width="800" height="500" alt="A loaf of rye bread">
<h2>This week</h2><ul>${Array.from({ length: 12 }, (_, index) => `<li>Loaf number ${index + 1}, rye and wheat</li>`).join("")}</ul>
</main></body></html>`;
}

export function contactHtml(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Write to the bakery</title>${STYLE}</head><body>${HEADER}<main><h1>Write to us</h1>
<form method="post" name="contact" data-honeypot="website"><label>Name<input name="name" required></label>
<label>E-mail<input type="email" name="email"></label><label>Message<textarea name="message"></textarea></label>
<input name="website" hidden><button class="button">Send</button></form></main></body></html>`;
}

export function docsHtml(number: number): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Oven manual, chapter ${number}</title>${STYLE}</head>
<body>${HEADER}<main><h1>Chapter ${number}</h1><p>Keep the door closed.</p></main></body></html>`;
}
