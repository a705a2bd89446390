import type { EndpointFacts } from '../../core/facts/endpoints.ts'
import { counted, written } from '../counted.ts'
import type { Catalog } from '../catalog.ts'

const FIX = 'Fix the problem, send a test, switch the endpoint on, then send the held deliveries.'

export const EN_ENDPOINTS: Catalog<EndpointFacts> = {
  no_such_endpoint: () => 'No endpoint with this ID.',
  endpoint_is_off: () => 'The endpoint is off. Switch it on first.',
  endpoint_is_deleted: () => 'The endpoint was deleted, so nothing can be sent to it.',
  endpoint_changed: () =>
    'Someone else changed this endpoint while you were editing. Review it before you save.',
  webhooks_not_in_plan: ({ plan }) => `Webhooks aren’t included in the ${plan} plan.`,
  endpoints_used_up: ({ max }) =>
    `You can have at most ${max} webhook endpoints. Delete one first.`,
  url_cannot_be_used: () => 'This URL can’t be used.',
  endpoint_off_failures_in_row: ({ failures }) => `It failed ${failures} times in a row. ${FIX}`,
  endpoint_off_failing_for_days: ({ days }) =>
    `It failed for ${counted(days, 'day', 'days')} without a single success. ${FIX}`,
  endpoint_off_gone: () =>
    'Your server returned 410 Gone, meaning it no longer exists. If it’s back or has moved, update the URL, send a test, then switch the endpoint on.',
  endpoint_off_by_member: () =>
    'A team member switched it off. Switch it on to deliver events again; you can then send the held deliveries.',
  endpoint_on: () => 'The endpoint is on. No deliveries are on hold.',
  endpoint_on_with_held: ({ count, isMore, tried, days }) =>
    `The endpoint is on. Deliveries on hold: ${written(count)}${isMore ? ' or more' : ''}${tried === 0 ? '' : `, of which ${written(tried)}${isMore ? ' or more' : ''} were tried before`}. They aren’t sent automatically: send them, or they expire after ${days} days.`,
}
