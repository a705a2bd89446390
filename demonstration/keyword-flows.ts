/**
 * The demonstration's flows with keywords: one sends the opening hours, one asks for the topic and hands over to
 * staff, one creates leads. They are written at the very first start.
 */
import type { Transaction } from 'kysely'
import { FlowDefinition } from '../src/contract/flow-definition.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { writeFlow } from './write-flow.ts'

const HOURS_FLOW = {
  flowId: 'de300000-0000-4000-8000-000000000021',
  versionId: 'de300000-0000-4000-8000-000000000022',
  name: 'When are you open?',
}
const HELP_FLOW = {
  flowId: 'de300000-0000-4000-8000-000000000023',
  versionId: 'de300000-0000-4000-8000-000000000024',
  name: 'Help from a person',
}

const OFFER_FLOW = {
  flowId: 'de300000-0000-4000-8000-000000000025',
  versionId: 'de300000-0000-4000-8000-000000000026',
  name: 'An offer',
}

const ASKED = { saveAs: null, timeoutMinutes: 12 * 60, onTimeout: null }

const hoursFlow = (channelId: string): FlowDefinition =>
  FlowDefinition.parse({
    channelId,
    trigger: { kind: 'keyword', words: ['hours', 'open', 'مواعيد', 'دوام'], match: 'contained' },
    start: 'now',
    steps: {
      now: {
        kind: 'branch',
        branches: [{ match: 'all', conditions: [{ of: 'hours', isOpen: true }], next: 'open' }],
        otherwise: 'closed',
      },
      open: {
        kind: 'send_message',
        text: 'We are open now, Sunday to Thursday from 9:00 to 18:00. Write "help" to talk to us.',
        next: null,
      },
      closed: {
        kind: 'send_message',
        text: 'We are closed now. We are back Sunday to Thursday from 9:00 to 18:00.',
        next: null,
      },
    },
  })

/** Returns the flow that asks for the topic with buttons, and hands over. */
export const helpFlow = (channelId: string): FlowDefinition =>
  FlowDefinition.parse({
    channelId,
    trigger: { kind: 'keyword', words: ['help', 'مساعدة'], match: 'contained' },
    start: 'about',
    steps: {
      about: {
        ...ASKED,
        kind: 'ask',
        text: 'What is it about?',
        answer: 'choice',
        options: [
          { value: 'order', label: 'An order', next: 'which' },
          { value: 'return', label: 'A return', next: 'which' },
          { value: 'other', label: 'Something else' },
        ],
        retryText: 'Please tap one of the buttons, or write its number.',
        saveAs: 'about',
        next: 'over',
      },
      which: {
        ...ASKED,
        kind: 'ask',
        text: 'Which order number?',
        answer: 'number',
        retryText: 'An order number is digits only, such as 1043.',
        saveAs: 'order',
        next: 'tag',
      },
      tag: { kind: 'tag', add: ['asked about an order'], remove: [], next: 'over' },
      over: {
        kind: 'send_message',
        text: 'Thank you. A colleague will answer you here.',
        next: 'staff',
      },
      staff: { kind: 'handover', text: 'About: {{vars.about}}. Order: {{vars.order}}.' },
    },
  })

const offerFlow = (channelId: string): FlowDefinition =>
  FlowDefinition.parse({
    channelId,
    trigger: { kind: 'keyword', words: ['quote', 'عرض سعر'], match: 'contained' },
    start: 'what',
    steps: {
      what: {
        ...ASKED,
        kind: 'ask',
        text: 'أهلًا بك في متجرنا. ماذا تريد؟',
        answer: 'choice',
        options: [
          { value: 'طقم كامل', label: 'طقم كامل', next: 'hot' },
          { value: 'كنبة واحدة', label: 'كنبة واحدة', next: 'warm' },
        ],
        saveAs: 'what',
        next: null,
      },
      hot: {
        kind: 'lead',
        temperature: 'hot',
        score: 85,
        summary: 'يريد: {{vars.what}}',
        qualify: true,
        next: 'soon',
      },
      soon: {
        kind: 'send_message',
        text: 'شكرًا لك، سيكلمك أحد زملائنا اليوم.',
        next: 'staff',
      },
      staff: { kind: 'handover', text: 'يريد: {{vars.what}}' },
      warm: {
        kind: 'lead',
        temperature: 'warm',
        score: 40,
        summary: 'يريد: {{vars.what}}',
        next: 'pictures',
      },
      pictures: { kind: 'send_message', text: 'شكرًا لك، نرسل لك الصور هنا.', next: null },
    },
  })

/** Writes the three flows with keywords, published. */
export async function writeKeywordFlows(
  tx: Transaction<DB>,
  now: Date,
  { companyId, channelId }: { companyId: string; channelId: string },
): Promise<void> {
  await writeFlow(tx, now, { companyId, ...HOURS_FLOW }, hoursFlow(channelId))
  await writeFlow(tx, now, { companyId, ...OFFER_FLOW }, offerFlow(channelId))
  await writeFlow(tx, now, { companyId, ...HELP_FLOW }, helpFlow(channelId))
}
