import { renderShell } from "../../parts/shell.tsx";
import type { Scene } from "../../scene.ts";

const CONFIG = `import imprint from "astro-imprint";

export default defineConfig({
  integrations: [imprint({ service: "SERVICE" })],
});`;

/** What stands there before anything is published: how to publish. */
export function renderFirstRun(scene: Scene): Response {
  const { routeSet } = scene.core.settings;
  const { appUrl, pagesUrl } = scene.records.addresses;
  const other = routeSet === "a" ? "b" : "a";
  return renderShell(
    scene,
    { title: "Nothing is published yet", section: "/" },
    <>
      <p class="lead">
        This service waits for a site. Pages that you publish appear below <code>{pagesUrl}/p/</code> and in this
        dashboard.
      </p>
      <ol class="steps">
        <li>
          <h2>Name this service in the project</h2>
          <p>
            Install the package with <code>npm install --save-dev astro-imprint</code>, then write into{" "}
            <code>astro.config.mjs</code>:
          </p>
          <pre tabindex={0}>{CONFIG.replace("SERVICE", appUrl)}</pre>
        </li>
        <li>
          <h2>Log in</h2>
          <p>A page of this service asks whether the project may publish. Nothing has to be copied.</p>
          <pre tabindex={0}>npx imprint login --service {appUrl}</pre>
          <p>
            In CI nobody can be asked: <a href="/keys">make an API key</a> and set it as <code>IMPRINT_API_KEY</code>.
          </p>
        </li>
        <li>
          <h2>Build</h2>
          <p>Every build publishes; what is built already is published by the second command.</p>
          <pre tabindex={0}>{"npx astro build\nnpx imprint publish"}</pre>
        </li>
      </ol>
      <section aria-labelledby="api">
        <h2 id="api">For other programs</h2>
        <p>
          The API speaks two route sets. At <code>{appUrl}</code> it is route set {routeSet.toUpperCase()}, and each has
          an address of its own too.
        </p>
        <dl>
          <dt>Route set {routeSet.toUpperCase()}</dt>
          <dd>
            <code>
              {appUrl}/{routeSet}
            </code>
          </dd>
          <dt>Route set {other.toUpperCase()}</dt>
          <dd>
            <code>
              {appUrl}/{other}
            </code>
          </dd>
        </dl>
      </section>
    </>,
  );
}
