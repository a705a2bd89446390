import { sql, type Transaction } from 'kysely'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { FieldDesign } from '../../../rules/contacts/field-value.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'

/** By key. */
export type FieldDesigns = ReadonlyMap<string, FieldDesign>

type FlowOfRun = { companyId: string; definition: FlowDefinition }

/**
 * What the custom fields are that flows set, of each company its own, in one statement for a whole batch of
 * runs; nothing is asked where no flow sets any. Archived ones are among them: what is written to one is
 * there when it is brought back.
 */
export async function readFieldDesigns(
  tx: Transaction<DB>,
  flows: readonly FlowOfRun[],
): Promise<Map<string, FieldDesigns>> {
  const ofVersions = new Map(flows.map((flow) => [flow.definition, flow]))
  const asked = [...ofVersions.values()].flatMap(({ companyId, definition }) =>
    fieldsSetBy(definition).map((key) => ({ companyId, key })),
  )
  if (asked.length === 0) return new Map()
  const { rows } = await sql<FieldDesign & { companyId: string; key: string }>`
    select field.company_id, field.key, field.kind, field.choices
    from unnest(${asked.map(({ companyId }) => companyId)}::uuid[],
        ${asked.map(({ key }) => key)}::text[]) as asked (company_id, key)
      join contact_field field
        on field.company_id = asked.company_id and field.key = asked.key`.execute(tx)
  const ofCompanies = Map.groupBy(rows, ({ companyId }) => companyId)
  return new Map(
    [...ofCompanies].map(([companyId, fields]) => [
      companyId,
      new Map(fields.map(({ key, kind, choices }) => [key, { kind, choices }])),
    ]),
  )
}

function fieldsSetBy({ steps }: FlowDefinition): string[] {
  const keys = Object.values(steps).flatMap((step) => designOf(step).setsField?.(step) ?? [])
  return [...new Set(keys)]
}
