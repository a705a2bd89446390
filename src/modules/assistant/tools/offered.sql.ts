import { sql, type RawBuilder } from 'kysely'
import { BOOKING_SETUP_LIMITS } from '../../../core/limits/appointments.ts'
import type { ToolInputs } from './tool.ts'

/** Returns the SQL expression of the values that decide which tools a company's assistant is offered. */
export function selectToolInputs(companyId: RawBuilder<unknown>) {
  return sql<ToolInputs>`json_build_object(
    'tags', coalesce((select to_json(tags) from assistant where company_id = ${companyId}), '[]'),
    'services', (select coalesce(json_agg(one), '[]') from (${selectBookableServices(companyId)}) one),
    'hasServices', exists (select from service
      where service.company_id = ${companyId} and deleted_at is null),
    'hasActions', exists (select from ai_action where ai_action.company_id = ${companyId} and is_on))`
}

/** Returns the SQL query of a company's bookable services, in their order. */
export function selectBookableServices(companyId: RawBuilder<unknown>) {
  return sql<ToolInputs['services'][number]>`
    select id, name, name_ar as "nameAr", minutes from service
    where service.company_id = ${companyId} and is_on and deleted_at is null
      and exists (select from service_need where service_need.service_id = service.id)
    order by id limit ${BOOKING_SETUP_LIMITS.services}`
}
