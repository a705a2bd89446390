import type { Kysely } from 'kysely'
import { readFieldDesigns } from '../contacts/read-custom-fields.ts'
import type { TemplateComponent } from '../channels/outbound.ts'
import { readTemplateSlots } from '../channels/template-slots.ts'
import type { BroadcastTemplate } from '../../contract/dashboard/broadcast.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { fillTemplate } from '../messaging/fill-template.ts'
import type { TemplateVersion } from '../messaging/read-templates-to-send.sql.ts'
import {
  isValuePlaceholder,
  listValuePlaceholders,
  OPT_OUT_LINK,
} from '../../rules/broadcasts/fill-value.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { parseOptOutKeyword } from '../../rules/messaging/opt-out-word.ts'
import { pickTemplateVersion } from '../../rules/messaging/template-language.ts'
import { ServiceError, type FieldError } from '../../core/service-error.ts'
import { freezeAudience } from './audience.sql.ts'
import type { BroadcastRow } from './require-broadcast.ts'

/** Returns the problems that prevent a start, by field. Spec: Broadcasts › Drafts; readings R1, R2, R5. */
export async function findProblems(
  db: Kysely<DB>,
  broadcast: Pick<BroadcastRow, 'companyId' | 'channelId' | 'template' | 'audience' | 'perSecond'>,
): Promise<FieldError[]> {
  const { companyId, channelId, template, perSecond } = broadcast
  const problems: FieldError[] = []
  const channel = await db
    .selectFrom('channel')
    .select(['type', 'isConnected', 'disconnectedReason', 'isCoexistence'])
    .where('id', '=', channelId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  const say = (field: string, found: Fact) => problems.push({ field, ...found })
  if (!channel) {
    say('channelId', fact('unknown_channel'))
  } else {
    const { disconnectedReason: why, type: channelType } = channel
    if (!channel.isConnected) {
      const cause = why === null ? null : parseFact(why)
      say('channelId', fact('channel_disconnected', { why: cause }))
    }
    if (!capabilitiesOf(channelType).hasTemplates) {
      say('channelId', fact('channel_sends_nothing'))
    }
    const max = BROADCAST_LIMITS.perSecondInCoexistence
    if (channel.isCoexistence && perSecond > max) {
      say('perSecond', fact('broadcast_pace_too_high', { max }))
    }
  }
  const versions = await readVersions(db, broadcast)
  const keys = [...(await readFieldDesigns(db, companyId)).keys()]
  problems.push(...problemsOfValues(template, keys), ...problemsOfTemplate(template, versions))
  try {
    await freezeAudience(db, companyId, broadcast.audience)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const errors = error.errors ?? [{ field: '', ...error.reason }]
    problems.push(...errors.map((found) => ({ ...found, field: 'audience' })))
  }
  return problems
}

/** Reads the template in every language that the channel has it in. */
export function readVersions(
  db: Kysely<DB>,
  { channelId, template }: Pick<BroadcastRow, 'channelId' | 'template'>,
): Promise<TemplateVersion[]> {
  return db
    .selectFrom('template')
    .select([
      'channelId',
      'name',
      'language',
      'category',
      'status',
      'parameterFormat',
      'components',
    ])
    .where('channelId', '=', channelId)
    .where('name', '=', template.name)
    .orderBy('language')
    .execute()
}

/** Returns the versions that may be sent: approved, and in the named language. Spec: reading R3. */
export function usableVersions(
  { language }: Pick<BroadcastTemplate, 'language'>,
  versions: readonly TemplateVersion[],
): TemplateVersion[] {
  const approved = versions.filter(({ status }) => status === 'APPROVED')
  if (language === undefined) return approved
  const named = pickTemplateVersion(approved, [language])
  return named ? [named] : []
}

/**
 * Returns the template's current categories by language as JSON text, which is stored with the broadcast when a member
 * starts it.
 * Spec: reading R7.
 */
export async function serializeCategories(
  db: Kysely<DB>,
  broadcast: Pick<BroadcastRow, 'channelId' | 'template'>,
): Promise<string> {
  const usable = usableVersions(broadcast.template, await readVersions(db, broadcast))
  return JSON.stringify(
    Object.fromEntries(usable.map(({ language, category }) => [language, category])),
  )
}

/**
 * Returns whether a version of a template has the category MARKETING.
 *
 * Spec: reading R4.
 */
export function isMarketing(versions: readonly TemplateVersion[]): boolean {
  return versions.some(({ category }) => category.toUpperCase() === 'MARKETING')
}

function problemsOfValues(
  { body, header, urlSuffixes }: BroadcastTemplate,
  fieldKeys: readonly string[],
): FieldError[] {
  const values = [
    ...body.map(({ text }, index) => ({ field: `template.body[${index}].text`, text })),
    ...(header === null ? [] : [{ field: 'template.header', text: header }]),
    ...urlSuffixes.map(({ text }, index) => ({
      field: `template.urlSuffixes[${index}].text`,
      text,
    })),
  ]
  return values.flatMap(({ field, text }) =>
    listValuePlaceholders(text).flatMap((placeholder): FieldError[] => {
      if (!isValuePlaceholder(placeholder, fieldKeys)) {
        return [{ field, ...fact('broadcast_placeholder_unknown', { placeholder }) }]
      }
      const isEnding = field.startsWith('template.urlSuffixes') && placeholder === OPT_OUT_LINK
      return isEnding ? [{ field, ...fact('opt_out_link_in_ending') }] : []
    }),
  )
}

function problemsOfTemplate(
  template: BroadcastTemplate,
  versions: readonly TemplateVersion[],
): FieldError[] {
  const { language } = template
  const usable = usableVersions(template, versions)
  // Any text may replace a placeholder here.
  const wanted = usable.length > 0 ? usable : [undefined]
  const problems = wanted.flatMap((version): FieldError[] => {
    const languages = [version?.language ?? language ?? null]
    const filled = fillTemplate({ ...template, languages }, versions, () => '')
    return filled.ok ? [] : [{ field: 'template', ...filled.why }]
  })
  if (problems.length > 0) return problems.slice(0, 1)
  const lacking = optOutProblem(template, usable)
  return lacking ? [{ field: 'template', ...lacking }] : []
}

/** Returns the problem of a MARKETING template that shows no link or button to opt out, else null. Spec: reading R1. */
export function optOutProblem(
  template: BroadcastTemplate,
  usable: readonly TemplateVersion[],
): Fact | null {
  const isLacking = usable.some(
    (version) => isMarketing([version]) && !hasStopButton(version) && !showsLink(template, version),
  )
  return isLacking ? fact('opt_out_needed', { template: template.name }) : null
}

/**
 * Returns true if a slot of this version holds the link. Values for slots that the version does not have are ignored.
 */
function showsLink(template: BroadcastTemplate, version: TemplateVersion): boolean {
  const filled = fillTemplate({ ...template, languages: [version.language] }, [version], () => '')
  if (!filled.ok || filled.value.content.kind !== 'template') return false
  const { body, header } = filled.value.content
  return [header, ...body].some(
    (value) => value && listValuePlaceholders(value.text).includes(OPT_OUT_LINK),
  )
}

function hasStopButton({ components }: TemplateVersion): boolean {
  const { quickReplies } = readTemplateSlots(JSON.parse(components) as TemplateComponent[])
  return quickReplies.some(({ text }) => parseOptOutKeyword(text) === 'stop')
}
