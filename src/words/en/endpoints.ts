import type { EndpointFacts } from '../../facts/endpoints.ts'
import { counted, written } from '../counted.ts'
import type { Sentences } from '../sentences.ts'

const MEND = 'Mend it, send a test, switch the endpoint on, then send what was held.'

export const EN_ENDPOINTS: Sentences<EndpointFacts> = {
  no_such_endpoint: () => 'This company has no such endpoint.',
  endpoint_is_off: () => 'The endpoint is off. Switch it on first.',
  endpoint_is_deleted: () => 'The endpoint is deleted: nothing can be sent to it.',
  endpoint_changed: () => 'The endpoint was changed meanwhile. Look at it again.',
  webhooks_not_in_plan: ({ plan }) => `Webhooks are not part of the ${plan} plan.`,
  endpoints_used_up: ({ most }) =>
    `A company has at most ${most} webhook endpoints. Delete one first.`,
  url_cannot_be_used: () => 'The URL cannot be used.',
  endpoint_off_failures_in_row: ({ failures }) => `It failed ${failures} times in a row. ${MEND}`,
  endpoint_off_failing_for_days: ({ days }) =>
    `It failed for ${counted(days, 'day', 'days')} without one success. ${MEND}`,
  endpoint_off_gone: () =>
    'It answered 410, which says that it is there no more. If it is back, or has another URL, change the URL, send a test and switch it on.',
  endpoint_off_by_member: () =>
    'A member switched it off. Switch it on to deliver again; what was held can be sent then.',
  endpoint_on: () => 'The endpoint is on. Nothing is held.',
  endpoint_on_with_held: ({ count, isMore, tried, days }) =>
    `The endpoint is on. Held deliveries: ${written(count)}${isMore ? ' or more' : ''}${tried === 0 ? '' : `, of which ${written(tried)}${isMore ? ' or more' : ''} were tried before`}. They are not sent by themselves: send what was held, or let it expire after ${days} days.`,
}
