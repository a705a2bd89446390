/** A flow asks, and reads what the customer answers. Flows › Questions. */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/core/limits/units.ts'
import { buttonPayload } from '../../../src/rules/flows/button-payload.ts'
import { saying, tellStory } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const SIZE = {
  kind: 'ask',
  text: 'Which size?',
  answer: 'choice',
  options: [
    { value: 's', label: 'Small' },
    { value: 'm', label: 'Medium' },
    { value: 'l', label: 'Large', next: 'large' },
  ],
  saveAs: 'size',
  timeoutMinutes: 60,
  next: 'thanks',
  onTimeout: 'late',
}
const STEPS = {
  hello: SIZE,
  thanks: saying('Noted: {{vars.size}}'),
  large: saying('A large one'),
  late: saying('Too late'),
}

/** Returns a customer who was asked the first question of a flow. */
async function openFirstQuestion(steps: Record<string, unknown> = STEPS) {
  const story = await tellStory(world, whatsApp)
  await story.publishOrder(steps)
  await story.say('order')
  return {
    ...story,
    last: () => story.sent().at(-1)!,
    /** Returns the run's variables and how it ended. */
    ended: () => story.shop.events('flow.completed').map(({ data }) => data.run),
  }
}

describe('A choice', () => {
  systemTest('with up to three options has buttons; a tap keeps the option’s value', async () => {
    const { last, tap, texts, ended, lastRun } = await openFirstQuestion()
    const { id: runId, steps } = await lastRun()
    const buttons = ['Small', 'Medium', 'Large'].map((text, option) => ({
      type: 'REPLY',
      text,
      payload: buttonPayload({ runId, stepId: 'hello', option }),
      url: null,
    }))
    expect(last().content).toMatchObject({ text: 'Which size?', buttons })
    // Staff sees the buttons.
    const shown = { text: 'Which size?\n\n1. Small\n2. Medium\n3. Large' }
    expect(steps).toMatchObject([{ stepId: 'hello', message: shown }])
    await tap(1)
    expect(texts()).toEqual(['Which size?', 'Noted: m'])
    expect(ended()).toMatchObject([{ variables: { size: 'm' }, endReason: 'completed' }])
  })

  systemTest('takes the exit of its option, or ends the run if that leads nowhere', async () => {
    const options = [...SIZE.options.slice(1), { value: 'x', label: 'None', next: null }]
    const steps = { ...STEPS, hello: { ...SIZE, options } }
    const large = await openFirstQuestion(steps)
    await large.tap(1)
    expect(large.texts()).toEqual(['Which size?', 'A large one'])
    expect(large.ended()).toMatchObject([{ variables: { size: 'l' } }])
    const none = await openFirstQuestion(steps)
    await none.tap(2)
    expect(none.texts()).toEqual(['Which size?'])
    expect(none.ended()).toMatchObject([{ variables: { size: 'x' }, endReason: 'completed' }])
  })

  systemTest('with four to ten options is a list', async () => {
    const sizes = ['٠', '١', '٢', '٣']
    const options = sizes.map((value) => ({ value, label: `المقاس ${value}` }))
    const { last, tap, ended } = await openFirstQuestion({
      hello: { ...SIZE, text: 'ما المقاس؟', options, next: null },
      late: saying('Too late'),
    })
    expect(last().content.buttons.map(({ type }) => type)).toEqual(Array(4).fill('LIST_ROW'))
    await tap(3)
    expect(ended()).toMatchObject([{ variables: { size: '٣' } }])
  })

  systemTest('is asked again twice after a wrong answer; then it hands over', async () => {
    const { say, texts, shop, conversation, runs, eventTypes } = await openFirstQuestion({
      ...STEPS,
      hello: { ...SIZE, retryText: 'Please choose one' },
    })
    await say('green')
    await say('blue')
    expect(texts()).toEqual(['Which size?', 'Please choose one', 'Please choose one'])
    await say('red')
    expect(texts()).toHaveLength(3)
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'handed_over' }])
    expect(shop.events('conversation.handover')).toMatchObject([
      { data: { reason: 'flow_handover', reasonText: null } },
    ])
    expect(eventTypes().slice(-2)).toEqual(['conversation.handover', 'flow.completed'])
    expect(await conversation()).toMatchObject({ handledBy: 'staff', needsStaff: true })
  })

  systemTest('takes the exit for wrong answers after the allowed number', async () => {
    const { say, texts, shop } = await openFirstQuestion({
      ...STEPS,
      hello: { ...SIZE, retries: 0, onInvalid: 'late' },
    })
    await say('green')
    expect(texts()).toEqual(['Which size?', 'Too late'])
    expect(shop.events('conversation.handover')).toEqual([])
  })

  test('has its own tries, whatever an earlier question has used', async () => {
    const { say, texts, shop } = await openFirstQuestion({
      ...STEPS,
      hello: { ...SIZE, retries: 1, onTimeout: 'again' },
      again: { ...SIZE, text: 'And now?', retries: 1, retryText: 'Please choose one' },
    })
    await say('green')
    world.clock.advance(60 * MINUTE_MS)
    await whatsApp.settle()
    await say('blue')
    expect(texts()).toEqual(['Which size?', 'Which size?', 'And now?', 'Please choose one'])
    expect(shop.events('conversation.handover')).toEqual([])
  })
})

describe('A question', () => {
  systemTest('takes its exit when its time is over; an answer just before counts', async () => {
    const { write, texts, ended } = await openFirstQuestion()
    world.clock.advance(60 * MINUTE_MS - 1)
    await write({ text: 'small' })
    world.clock.advance(10 * MINUTE_MS)
    await whatsApp.settle()
    expect(texts().at(-1)).toBe('Noted: s')
    expect(ended()).toHaveLength(1)
    const late = await openFirstQuestion()
    world.clock.advance(60 * MINUTE_MS)
    await whatsApp.settle()
    expect(late.texts().at(-1)).toBe('Too late')
  })

  test('with yes or no has both as buttons, in its language', async () => {
    const { last, tap, ended } = await openFirstQuestion({
      hello: { ...SIZE, text: 'هل تريد التوصيل؟', answer: 'yes_no', options: [], next: null },
      late: saying('Too late'),
    })
    expect(last().content.buttons.map(({ text }) => text)).toEqual(['نعم', 'لا'])
    await tap(1)
    expect(ended()).toMatchObject([{ variables: { size: 'no' } }])
  })

  systemTest('for a phone keeps it in one format, read in the country of the channel', async () => {
    const { say, ended } = await openFirstQuestion({
      hello: { ...SIZE, answer: 'phone', options: [], next: null },
      late: saying('Too late'),
    })
    await say('٠٥٠ ١٢٣ ٤٥٦٧')
    expect(ended()).toMatchObject([{ variables: { size: '+966501234567' } }])
  })
})
