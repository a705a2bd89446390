/**
 * The demonstration's names follow the language of its Owner, at every entry by the link and at each change of the
 * language. Names that a member has changed stay.
 */
import { sql, type Transaction } from 'kysely'
import type { Context } from '../src/infra/context.ts'
import { FlowDefinition } from '../src/contract/flow-definition.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { storeTriggers } from '../src/modules/flows/design/store-triggers.ts'
import type { Language } from '../src/core/vocabulary/hooks.ts'
import { DEMONSTRATION_ACCOUNT, DEMONSTRATION_COMPANY } from './create-demonstration.ts'

type Pair = Readonly<Record<Language, string>>

/** The name of the demonstration's account and of its Owner. */
const OWNER: Pair = { en: 'Demonstration', ar: 'عرض تجريبي' }

type Names = { table: string; column: 'name' | 'label'; pairs: readonly Pair[] }

/** The names that the demonstration gives, by table and column. */
const NAMES: readonly Names[] = [
  {
    table: 'account',
    column: 'name',
    pairs: [OWNER],
  },
  {
    table: 'company',
    column: 'name',
    pairs: [{ en: 'Demonstration shop', ar: 'متجر التجربة' }],
  },
  {
    table: 'channel',
    column: 'name',
    pairs: [
      { en: 'Simulated WhatsApp number', ar: 'رقم واتساب للمحاكاة' },
      { en: 'Simulated Facebook page', ar: 'صفحة فيسبوك للمحاكاة' },
      { en: 'Simulated Instagram account', ar: 'حساب إنستغرام للمحاكاة' },
      { en: 'Simulated Telegram bot', ar: 'بوت تيليجرام للمحاكاة' },
      { en: 'Chat on the website', ar: 'دردشة الموقع' },
      { en: 'Form on the website', ar: 'نموذج الموقع' },
    ],
  },
  {
    table: 'flow',
    column: 'name',
    pairs: [
      { en: 'Order is ready', ar: 'طلبك جاهز' },
      { en: 'How does my order stand?', ar: 'ما حالة طلبي؟' },
      { en: 'When are you open?', ar: 'متى تفتحون؟' },
      { en: 'Help from a person', ar: 'التحدث إلى موظف' },
      { en: 'Help on Telegram', ar: 'التحدث إلى موظف على تيليجرام' },
      { en: 'An offer', ar: 'عرض سعر' },
    ],
  },
  {
    table: 'endpoint',
    column: 'name',
    pairs: [{ en: 'Demonstration receiver', ar: 'مستقبِل العرض التجريبي' }],
  },
  {
    table: 'api_connection',
    column: 'name',
    pairs: [{ en: "The shop's API", ar: 'نظام المتجر' }],
  },
  {
    table: 'contact_field',
    column: 'label',
    pairs: [{ en: 'City', ar: 'المدينة' }],
  },
  {
    table: 'broadcast',
    column: 'name',
    pairs: [{ en: 'Season offer', ar: 'عرض الموسم' }],
  },
]

/** Texts of the demonstration's flows. */
const SAID: readonly Pair[] = [
  {
    en: 'We are open now, Sunday to Thursday from 9:00 to 18:00. Write "help" to talk to us.',
    ar: 'نحن متاحون الآن، من الأحد إلى الخميس من 9:00 إلى 18:00. اكتب «مساعدة» للتحدث إلينا.',
  },
  {
    en: 'We are closed now. We are back Sunday to Thursday from 9:00 to 18:00.',
    ar: 'المتجر مغلق الآن. نعود من الأحد إلى الخميس من 9:00 إلى 18:00.',
  },
  { en: 'What is it about?', ar: 'ما موضوع استفسارك؟' },
  { en: 'An order', ar: 'طلب' },
  { en: 'A return', ar: 'إرجاع' },
  { en: 'Something else', ar: 'موضوع آخر' },
  {
    en: 'Please tap one of the buttons, or write its number.',
    ar: 'الرجاء الضغط على أحد الأزرار أو كتابة رقمه.',
  },
  { en: 'Which order number?', ar: 'ما رقم الطلب؟' },
  {
    en: 'An order number is digits only, such as 1043.',
    ar: 'رقم الطلب أرقام فقط، مثل 1043.',
  },
  {
    en: 'Thank you. A colleague will answer you here.',
    ar: 'شكرًا لك. سيرد عليك أحد زملائنا هنا.',
  },
  {
    en: 'About: {{vars.about}}. Order: {{vars.order}}.',
    ar: 'الموضوع: {{vars.about}}. الطلب: {{vars.order}}.',
  },
  { en: 'asked about an order', ar: 'سأل عن طلب' },
  { en: 'being looked into by our team', ar: 'يراجعها فريقنا' },
]

/** The flows whose texts are in one language. */
const FLOWS = ['11', '21', '23', '27'].map((end) => `de300000-0000-4000-8000-0000000000${end}`)

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>

/** Returns a function that writes the demonstration's names and texts in a language. */
export const inLanguage =
  (context: Deps) =>
  (language: Language): Promise<void> =>
    followLanguage(context, language)

async function followLanguage({ db, ids, clock }: Deps, language: Language): Promise<void> {
  const [accountId, companyId] = [DEMONSTRATION_ACCOUNT, DEMONSTRATION_COMPANY]
  const other = language === 'en' ? 'ar' : 'en'
  await transaction(db, async (tx) => {
    for (const { table, column, pairs } of NAMES) {
      const name = sql.ref(column)
      const owner = table === 'account' ? accountId : companyId
      const owned = sql.ref(table === 'account' || table === 'company' ? 'id' : 'company_id')
      await sql`update ${sql.table(table)} set ${name} = pair.becomes
        from unnest(${pairs.map((pair) => pair[other])}::text[],
          ${pairs.map((pair) => pair[language])}::text[]) as pair (was, becomes)
        where ${owned} = ${owner} and ${name} = pair.was`.execute(tx)
    }
    await tx
      .updateTable('person')
      .set({ name: OWNER[language] })
      .where('isDemonstration', '=', true)
      .where('name', '=', OWNER[other])
      .execute()
    for (const flow of await lockFlows(tx, companyId)) {
      const definition = SAID.reduce(
        (text, pair) =>
          text.replaceAll(JSON.stringify(pair[other]), () => JSON.stringify(pair[language])),
        flow.definition,
      )
      if (definition === flow.definition) continue
      await publish(tx, { id: ids.uuid(), now: clock.now() }, { ...flow, companyId, definition })
    }
  })
}

type Flow = { flowId: string; number: number; definition: string }

/** Locks the published flows without a draft, and returns their texts. */
async function lockFlows(tx: Transaction<DB>, companyId: string): Promise<Flow[]> {
  const { rows } = await sql<Flow>`
    select flow.id as flow_id, version.number, version.definition
    from flow join flow_version version on version.id = flow.published_version_id
    where flow.company_id = ${companyId} and flow.id = any(${FLOWS}::uuid[]) and flow.deleted_at is null
      and not exists (select from flow_version later
        where later.flow_id = flow.id and later.number > version.number)
    order by flow.id for update of flow`.execute(tx)
  return rows
}

/** Publishes the texts of a flow in another language. Active runs keep theirs. */
async function publish(
  tx: Transaction<DB>,
  { id, now }: { id: string; now: Date },
  { companyId, flowId, number, definition }: Flow & { companyId: string },
): Promise<void> {
  const design = FlowDefinition.parse(JSON.parse(definition))
  await tx
    .insertInto('flowVersion')
    .values({
      id,
      companyId,
      flowId,
      number: number + 1,
      definition,
      triggerKind: design.trigger.kind,
      channelId: design.channelId,
      publishedAt: now,
      createdAt: now,
    })
    .execute()
  await tx
    .updateTable('flow')
    .set({ publishedVersionId: id, updatedAt: now })
    .where('id', '=', flowId)
    .where('companyId', '=', companyId)
    .execute()
  await storeTriggers(tx, { companyId, flowId }, { id, definition: design })
}
