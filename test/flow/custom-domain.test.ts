import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { launchBrowser } from "../browser.ts";
import { startDnsServer } from "../service/domains/dns-server.ts";
import { zoneFor } from "../service/domains/open-domains.ts";
import { openRunningService } from "../service/open-service.ts";
import { createTemporarySite } from "./temporary-site.ts";

const DOMAIN = "www.halden.example";

describe.each(["a", "b"] as const)("a built site on its own domain, route set %s", (routeSet) => {
  it("looks, works, and links as built", async () => {
    const dns = await startDnsServer();
    const service = await openRunningService({ background: false, domains: { dnsServers: [dns.address] } });
    const site = await createTemporarySite();
    async function imprint(...argv: readonly string[]): Promise<string> {
      let out = "";
      const write = (text: string) => (out += text);
      const environment = { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl(routeSet) };
      const code = await runCli(argv, { cwd: site.root, environment, out: { write }, error: { write } });
      expect([argv[0], code, code === 0 ? "" : out]).toEqual([argv[0], 0, ""]);
      return out;
    }
    await imprint("publish");
    dns.set(zoneFor(Object(JSON.parse(await imprint("domains", "add", DOMAIN, "--json")))));
    await service.checkDomains();
    await imprint("domains", "check", DOMAIN);

    const browser = await launchBrowser({ hosts: { [DOMAIN]: `127.0.0.1:${service.pagesPort}` } });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("requestfailed", (request) => complaints.push(request.url()));
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    const titleAt = async (path: string) => {
      await page.waitForURL(`http://${DOMAIN}${path}`);
      return await page.textContent("h1");
    };

    await page.goto(`http://${DOMAIN}/`, { waitUntil: "networkidle" });
    expect(await titleAt("/")).toBe("Halden Press");
    const facts = `({
      ready: document.documentElement.dataset.ready,
      font: getComputedStyle(document.body).fontFamily,
      pictures: [...document.images].map((image) => image.naturalWidth > 0),
    })`;
    expect(await page.evaluate(facts)).toEqual({ ready: "yes", font: "Georgia, serif", pictures: [true, true] });
    await page.click("text=About");
    expect(await titleAt("/about")).toBe("About");
    await page.click("text=Letterpress");
    expect(await titleAt("/services-letterpress")).toBe("Letterpress");
    await page.goto(`http://${DOMAIN}/services/letterpress/`);
    expect(await titleAt("/services/letterpress/")).toBe("Letterpress");
    await page.click(".logo");
    expect(await titleAt("/")).toBe("Halden Press");
    expect(complaints).toEqual([]);
  });
});
