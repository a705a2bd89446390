/**
 * The settings of the demonstration's assistant: its identity, the actions on the shop's API, and its knowledge in
 * Arabic and English. They are written at the very first start; existing ones stay.
 */
import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { ActionDefinition } from '../src/contract/ai-action.ts'
import type { DB } from '../src/infra/database/tables.ts'
import type { Ids } from '../src/core/ids.ts'

const ACTIONS = [
  {
    id: 'de300000-0000-4000-8000-000000000041',
    toolName: 'order_status',
    needsConfirmation: false,
    description: 'Looks up how an order stands, by its number.',
    method: 'GET',
    path: '/orders/{{args.number}}',
    statement: { en: null, ar: null },
    does: [],
  },
  {
    id: 'de300000-0000-4000-8000-000000000042',
    toolName: 'cancel_order',
    needsConfirmation: true,
    description: 'Cancels an order that has not been shipped yet, by its number.',
    method: 'POST',
    path: '/orders/{{args.number}}/cancel',
    statement: {
      en: 'Shall we cancel order {{args.number}}? This cannot be undone.',
      ar: 'هل نلغي الطلب {{args.number}}؟ لا يمكن التراجع عن ذلك.',
    },
    does: ['cancels'],
  },
] as const

const PROFILE =
  'A demonstration shop for sofas in Riyadh: متجر التجربة. It sells and delivers sofas, measures at home, and has a showroom in Olaya Street.'

/** Questions with their answers, in both languages. */
const KNOWN: readonly (readonly [question: string, answer: string])[] = [
  [
    'كم سعر التوصيل ومتى يصل؟',
    'التوصيل داخل الرياض مجاني للطلبات من 500 ريال، وما دون ذلك بـ 35 ريالًا. يصل خلال يومين إلى ثلاثة أيام عمل. خارج الرياض بـ 90 ريالًا وخلال خمسة أيام عمل.',
  ],
  [
    'How much is delivery, and how long does it take?',
    'Delivery in Riyadh is free from 500 riyals on, and costs 35 riyals below. It takes two to three working days. Outside Riyadh it costs 90 riyals and takes five working days.',
  ],
  [
    'هل يمكن إرجاع الكنب أو استبداله؟',
    'نعم، يمكن الإرجاع خلال 14 يومًا من الاستلام إذا كانت القطعة سليمة وبتغليفها. القطع المفصّلة حسب الطلب لا تُسترجع. نستلمها من منزلك مقابل 50 ريالًا.',
  ],
  [
    'Can I return or exchange a sofa?',
    'Yes, within 14 days of delivery, undamaged and in its wrapping. What was made to measure cannot be returned. We pick it up from your home for 50 riyals.',
  ],
  [
    'متى تفتحون وأين المعرض؟',
    'المعرض في شارع العليا بالرياض. نفتح من الأحد إلى الخميس من 9 صباحًا إلى 6 مساءً.',
  ],
  [
    'When do you open, and where is the showroom?',
    'The showroom is in Olaya Street, Riyadh. It is open from Sunday to Thursday, 9 in the morning to 6 in the evening.',
  ],
  [
    'ما طرق الدفع؟',
    'الدفع بمدى أو فيزا أو ماستركارد أو نقدًا عند الاستلام. ويمكن التقسيط على أربع دفعات بلا رسوم.',
  ],
  [
    'How can I pay?',
    'By mada, Visa or Mastercard, or in cash on delivery. Four instalments are possible without a fee.',
  ],
  ['ما مدة الضمان؟', 'نضمن هيكل الكنب خمس سنوات والأقمشة سنة واحدة.'],
  [
    'How long is the warranty?',
    'The frame of a sofa has a warranty of five years, its fabric of one year.',
  ],
]

/** Writes the assistant's settings, actions and knowledge. */
export async function writeAssistant(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { companyId, connectionId }: { companyId: string; connectionId: string },
): Promise<void> {
  await tx
    .insertInto('assistant')
    .values({ companyId, isOn: true, transcribes: true, profile: PROFILE, updatedAt: now })
    .execute()
  await tx
    .insertInto('aiAction')
    .values(
      ACTIONS.map(({ id, toolName, needsConfirmation, ...action }) => ({
        id,
        companyId,
        connectionId,
        toolName,
        needsConfirmation,
        definition: JSON.stringify(definitionOf(action, connectionId)),
        isOn: true,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute()
  await tx
    .insertInto('knowledgeSource')
    .values(
      KNOWN.map(([title, answer]) => {
        const content = Buffer.from(answer)
        return {
          id: ids.uuid(),
          companyId,
          kind: 'faq',
          title,
          content,
          sha256: createHash('sha256').update(content).digest(),
          state: 'waiting',
          revision: 1,
          dueAt: now,
          createdAt: now,
          updatedAt: now,
        }
      }),
    )
    .execute()
}

type Action = Omit<(typeof ACTIONS)[number], 'id' | 'toolName' | 'needsConfirmation'>

function definitionOf(
  { description, method, path, statement, does }: Action,
  connectionId: string,
): ActionDefinition {
  return ActionDefinition.parse({
    description,
    request: { connectionId, method, path, query: [], headers: [], body: null },
    parameters: [
      {
        name: 'number',
        type: 'string',
        description: 'The number of the order, as the customer gave it',
        isRequired: true,
      },
    ],
    identity: 'none',
    shown: [
      { label: 'Order', path: 'order.number' },
      { label: 'Status', path: 'order.status' },
    ],
    statement,
    ownershipPath: null,
    does,
    offeredOn: 'all',
  })
}
