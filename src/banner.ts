import type { Config } from './config.ts'
import { hostOfModel } from './models/open-model.ts'
import type { Started } from './start.ts'

/** The body of the demonstration's request, as a shop would send it. */
export const DEMONSTRATION_BODY = {
  customer: { name: 'Sara', phone: '+12025550143', language: 'en' },
  order: { number: '1043' },
}

/** Says what runs, what of it is simulated, and what to try first. */
export function writeBanner(
  config: Config,
  { port, demonstration, setupToken, service }: Started,
): string {
  const linkToken = demonstration?.linkToken ?? null
  const way = wayIn(linkToken, setupToken)
  const lines = ['', 'Wasla is running.', '']
  if (config.only !== 'daemon') lines.push(`  Dashboard    ${localUrl(config, port)}${way}`, '')
  lines.push(
    `  Database     ${config.databaseUrl ? 'the server of DATABASE_URL' : `embedded PostgreSQL in ${config.dataFolder}`}`,
  )
  lines.push(`  Assistant    ${tellModel(service.models.operator())}`)
  if (config.egressAllow.length > 0) {
    lines.push(
      `  Egress       deliveries and calls may also reach ${config.egressAllow.join(', ')} (EGRESS_ALLOW)`,
    )
  }
  if (setupToken !== null && linkToken !== null) {
    lines.push(
      '',
      'The link opens the demonstration, signed in, from this machine alone. An account of your own:',
      '',
      `  Set-up       ${localUrl(config, port)}/set-up#${setupToken}`,
    )
  } else if (setupToken !== null) {
    lines.push(
      '',
      'No one can sign in yet: the link makes the first account. It changes at each start.',
    )
  }
  if (config.demonstration.isLeftOut) {
    lines.push(
      '',
      `Without the demonstration: --only=${config.only} starts neither the simulator of WhatsApp nor the`,
      'receiver, and a simulated number sends nothing. Start without --only to have them; DEMONSTRATION=off',
      'ends this remark.',
    )
  }
  if (demonstration) {
    const hookUrl = `${localUrl(config, port)}/hooks/${demonstration.hookToken}`
    const statusHookUrl = `${localUrl(config, port)}/hooks/${demonstration.statusHookToken}`
    lines.push(
      '',
      'SIMULATED: WhatsApp is played by a simulator on this machine; nothing is sent to anyone.',
      'The shop that gets the events and is asked about orders is two small programs of examples/,',
      'also on this machine.',
      'DEMONSTRATION=off turns both off.',
      '',
      `  Phones       ${demonstration.simulators.pageUrl}`,
      `  Website      ${demonstration.website.url} (the shop's, with its chat and its form)`,
      ...(demonstration.bookingSlug === null
        ? []
        : [`  Booking page ${localUrl(config, port)}/b/${demonstration.bookingSlug}`]),
      `  Hook URL     ${hookUrl}`,
      `  Receiver     https://127.0.0.1:${demonstration.receiver.port} (its lines begin with [receiver])`,
      `  Shop's API   https://127.0.0.1:${demonstration.merchantApi.port}/api (its lines begin with [shop's API])`,
      `  Second hook  ${statusHookUrl}`,
      '',
      'Start the flow as a shop would, with an id of its own for the event:',
      '',
      `  curl -i '${hookUrl}' \\`,
      `    -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1043-ready' \\`,
      `    -d '${JSON.stringify(DEMONSTRATION_BODY)}'`,
      '',
      'The same command again answers "duplicate" with the same id. The simulated customer taps a',
      'button by herself; open the phones page to be the customer. The second hook starts a flow that',
      "asks the shop's API how the order stands before it tells the customer.",
    )
  }
  return `${lines.join('\n')}\n`
}

/** Who answers for accounts that have set up no model. */
function tellModel(model: ReturnType<Started['service']['models']['operator']>): string {
  if (!model)
    return 'no model (MODEL_NAME): where an account sets up none, it is off and staff answers'
  if (!model.isScripted) return `asks ${model.modelName} at ${hostOfModel(model)}`
  return 'SIMULATED: a script on this machine answers, no language model; MODEL_NAME sets a real one'
}

/**
 * Where the dashboard is opened: the tokens are behind a `#`, which no browser sends, so that they come into
 * no log. They change at each start.
 */
function wayIn(linkToken: string | null, setupToken: string | null): string {
  if (linkToken !== null) return `/welcome#${linkToken}`
  return setupToken === null ? '/' : `/set-up#${setupToken}`
}

function localUrl(config: Config, port: number): string {
  return config.baseUrl.replace(/:0$/, `:${port}`)
}
