/** Publishes the flows of a routing case as a member does. */
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import type { TriggerKind } from '../../src/core/vocabulary/flows.ts'
import { addChannel } from '../support/records/channels.ts'
import type { World } from '../support/world.ts'
import type { Built, FlowOfCase, Place, Situation } from './routing-setup.ts'

/** Flows that begin without a message of the customer, and send a template first. */
const BUSINESS_FIRST: readonly string[] = [
  'webhook',
  'appointment_reminder',
] satisfies TriggerKind[]

const question = (text: string, next: string | null) => ({
  kind: 'ask',
  text,
  answer: 'text',
  saveAs: null,
  timeoutMinutes: 30 * 24 * 60,
  next,
  onTimeout: null,
})

export async function publish(
  world: World,
  { shop, owner, flowIds }: Built<Place>,
  { name, trigger, words, match, interrupts, template, button, onChannel = true }: FlowOfCase,
  { runs = [] }: Situation,
): Promise<void> {
  const own = runs.find(({ flow }) => flow === name)
  const isWaiting = own?.state === 'waits'
  const first = isWaiting ? 'moment' : 'q1'
  const steps = {
    // Such a flow may send nothing else until the customer answers its template.
    ...(BUSINESS_FIRST.includes(trigger) && {
      tell: sends(own?.template ?? 't1', isWaiting ? 'pause' : 'answer'),
      answer: {
        kind: 'wait_for_reply',
        saveAs: null,
        timeoutMinutes: 30 * 24 * 60,
        next: 'q1',
        onTimeout: null,
      },
    }),
    ...(isWaiting && {
      moment: { kind: 'send_message', text: 'One moment', next: 'pause' },
      pause: { kind: 'wait', until: { kind: 'minutes', minutes: DAY_MS / MINUTE_MS }, next: 'q1' },
    }),
    q1: question('First question', 'q2'),
    q2: question('Second question', null),
  }
  const settings = {
    keyword: { words, match, interrupts },
    template_button: { template, button },
    webhook: { phonePath: 'customer.phone', namePath: null, languagePath: null, keep: [] },
    appointment_reminder: { minutesBefore: 60 },
  }
  const draft = {
    channelId: onChannel ? shop.channelId : await addChannel(world, shop, { type: 'telegram' }),
    trigger: { kind: trigger, ...settings[trigger as keyof typeof settings] },
    start: BUSINESS_FIRST.includes(trigger) ? 'tell' : first,
    steps,
  }
  const flows = `/companies/${shop.companyId}/flows`
  const made = await owner.ask<{ id: string }>('POST', flows, { name })
  const path = `${flows}/${made.body.id}`
  const saved = await owner.ask('PUT', `${path}/draft`, draft)
  world.clock.advance(1)
  const published = await owner.ask('POST', `${path}/publish`)
  if (saved.status !== 200 || published.status !== 200) {
    throw new Error(`flow ${name}: ${JSON.stringify([saved.body, published.body])}`)
  }
  flowIds.set(name, made.body.id)
}

const sends = (template: string, next: string) => ({
  kind: 'send_template',
  template,
  language: 'en',
  header: null,
  body: [],
  next,
})
