import type { Config } from './app/config.ts'
import { hostOfModel } from './modules/models/open-model.ts'
import type { Started } from './start.ts'

/** The body of the demonstration's request, as a shop would send it. */
export const DEMONSTRATION_BODY = {
  customer: { name: 'Sara', phone: '+12025550143', language: 'en' },
  order: { number: '1043' },
}

/** Returns the text that the start prints: what runs, what of it is simulated, and what to try first. */
export function writeBanner(
  config: Config,
  { port, demonstration, setupToken, service }: Started,
): string {
  const linkToken = demonstration?.linkToken ?? null
  const dashboardPath = dashboardPathOf(linkToken, setupToken)
  const lines = ['', 'Wasla is running.', '']
  if (config.only !== 'daemon')
    lines.push(`  Dashboard    ${localUrl(config, port)}${dashboardPath}`, '')
  lines.push(
    `  Database     ${config.databaseUrl ? 'the server in DATABASE_URL' : `embedded PostgreSQL in ${config.dataFolder}`}`,
  )
  lines.push(`  Assistant    ${describeModel(service.models.operator())}`)
  if (config.egressAllow.length > 0) {
    lines.push(
      `  Egress       deliveries and calls can also reach ${config.egressAllow.join(', ')} (EGRESS_ALLOW)`,
    )
  }
  if (setupToken !== null && linkToken !== null) {
    lines.push(
      '',
      'Open the dashboard link on this machine to use the demo, already signed in. To create your own account:',
      '',
      `  Setup        ${localUrl(config, port)}/set-up#${setupToken}`,
    )
  } else if (setupToken !== null) {
    lines.push(
      '',
      'There is no account yet. Open the dashboard link to create the first one. It works until then.',
    )
  }
  if (config.demonstration.isLeftOut) {
    lines.push(
      '',
      `The demo is not running: --only=${config.only} starts neither the WhatsApp simulator nor the`,
      'receiver, so simulated numbers send nothing. Start without --only to run them, or set DEMONSTRATION=off',
      'to hide this message.',
    )
  }
  if (demonstration) {
    const hookUrl = `${localUrl(config, port)}/hooks/${demonstration.hookToken}`
    const statusHookUrl = `${localUrl(config, port)}/hooks/${demonstration.statusHookToken}`
    lines.push(
      '',
      'SIMULATED: WhatsApp runs in a simulator on this machine. Nothing is sent to anyone.',
      'The shop that receives events and answers questions about orders is two small programs from',
      'examples/, also running on this machine.',
      'Set DEMONSTRATION=off to switch all of this off.',
      '',
      `  Phones       ${demonstration.simulators.pageUrl}`,
      `  Website      ${demonstration.website.url} (the shop's site, with chat and form)`,
      ...(demonstration.bookingSlug === null
        ? []
        : [`  Booking page ${localUrl(config, port)}/b/${demonstration.bookingSlug}`]),
      `  Hook URL     ${hookUrl}`,
      `  Receiver     https://127.0.0.1:${demonstration.receiver.port} (log lines start with [receiver])`,
      `  Shop's API   https://127.0.0.1:${demonstration.merchantApi.port}/api (log lines start with [shop's API])`,
      `  Second hook  ${statusHookUrl}`,
      '',
      'Start the flow the way a shop would, with its own idempotency key:',
      '',
      `  curl -i '${hookUrl}' \\`,
      `    -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1043-ready' \\`,
      `    -d '${JSON.stringify(DEMONSTRATION_BODY)}'`,
      '',
      'Run it again and you get "duplicate" with the same id. The simulated customer taps a button on',
      'her own; open the Phones page to play the customer yourself. The second hook starts a flow that',
      "looks up the order in the shop's API before it messages the customer.",
    )
  }
  return `${lines.join('\n')}\n`
}

/** Returns the line about the model that accounts without their own use. */
function describeModel(model: ReturnType<Started['service']['models']['operator']>): string {
  if (!model) return 'off for accounts without their own model; set MODEL_NAME to provide one'
  if (!model.isScripted) return `${model.modelName} at ${hostOfModel(model)}`
  return 'SIMULATED: replies come from a script, not a language model; set MODEL_NAME to use a real one'
}

/**
 * Returns the path at which the dashboard is opened. The token is in the fragment, which browsers do not send, so
 * that no log contains it. It changes at each start.
 */
function dashboardPathOf(linkToken: string | null, setupToken: string | null): string {
  if (linkToken !== null) return `/welcome#${linkToken}`
  return setupToken === null ? '/' : `/set-up#${setupToken}`
}

function localUrl(config: Config, port: number): string {
  return config.baseUrl.replace(/:0$/, `:${port}`)
}
