import { sql, type Transaction } from 'kysely'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { FieldDesign } from '../../../rules/contacts/field-value.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'

/** The kinds and choices of custom fields, by key. */
export type FieldDesigns = ReadonlyMap<string, FieldDesign>

type FlowOfRun = { companyId: string; definition: FlowDefinition }

/**
 * Returns the custom fields that flows set, by company. One statement serves a batch of runs, and none is executed when no
 * flow sets a field. Includes archived fields: a value written to one is there when it is restored.
 */
export async function readFieldsOfFlows(
  tx: Transaction<DB>,
  flows: readonly FlowOfRun[],
): Promise<Map<string, FieldDesigns>> {
  const ofVersions = new Map(flows.map((flow) => [flow.definition, flow]))
  const requested = [...ofVersions.values()].flatMap(({ companyId, definition }) =>
    fieldsSetBy(definition).map((key) => ({ companyId, key })),
  )
  if (requested.length === 0) return new Map()
  const { rows } = await sql<FieldDesign & { companyId: string; key: string }>`
    select field.company_id, field.key, field.kind, field.choices
    from unnest(${requested.map(({ companyId }) => companyId)}::uuid[],
        ${requested.map(({ key }) => key)}::text[]) as requested (company_id, key)
      join contact_field field
        on field.company_id = requested.company_id and field.key = requested.key`.execute(tx)
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
