/** What a browser finds at the service's address: what this is, and where to go on. */
export function writeHomePage({ phonesUrl }: { phonesUrl: string | null }): string {
  const phones = phonesUrl
    ? `<li><a href="${phonesUrl}">The phones of the simulated customers</a>, while the demonstration runs on this machine.</li>`
    : ''
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Wasla</title>
<h1>Wasla</h1>
<p>This service joins a merchant's own systems to customer messaging: hooks in, flows run, signed events out.
It runs. There is no dashboard yet; what a dashboard would do is done by the API under <code>/api</code>.</p>
<ul>
${phones}
<li><a href="/healthz">Does it live?</a> <a href="/readyz">Can it work?</a></li>
<li><a href="/errors">The codes of the API's errors</a></li>
</ul>
<p>The first account is made by a command that the start prints. Then follow these guides, which lie beside the
program:</p>
<ul>
<li><code>docs/guides/setting-up-a-flow.md</code></li>
<li><code>docs/guides/starting-a-flow.md</code></li>
<li><code>docs/guides/receiving-webhooks.md</code></li>
<li><code>docs/guides/calling-your-api.md</code></li>
<li><code>docs/guides/operating.md</code></li>
</ul></html>`
}

/** The simulator has its page above the API that it plays. */
export function phonesUrlOf(simulatorBaseUrl: string | null): string | null {
  return simulatorBaseUrl && new URL('.', simulatorBaseUrl).href.replace(/\/$/, '')
}
