import type { Page } from "playwright-core";

/** One press of a button and the page's text afterwards. */
export interface Press {
  readonly button: string;
  readonly didChange: boolean;
  /** Text of every island and every element with a `data-testid`, line by line. */
  readonly texts: readonly string[];
}

const BUTTONS = "astro-island button, button[data-testid]";
const CHANGE_MS = 3000;

/** Presses every button of the islands in page order, and records the islands' text after each. */
export async function pressButtons(page: Page): Promise<readonly Press[]> {
  const presses: Press[] = [];
  for (const button of await page.locator(BUTTONS).all()) {
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue;
    const name = (await button.getAttribute("data-testid")) ?? (await button.innerText());
    const before = await readTexts(page);
    await button.click();
    const earlier = JSON.stringify(before.join("\n"));
    const didChange = await page.evaluate<boolean>(`fidelity.hasChanged(${earlier}, ${CHANGE_MS})`);
    presses.push({ button: name, didChange, texts: await readTexts(page) });
  }
  return presses;
}

function readTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>("fidelity.calmTexts()");
}
