import type { None } from './none.ts'

/** Reasons why requests of the widget and the form on merchants' websites are refused. */
export type VisitorFacts = {
  /** No widget or form has this key, or it is taken out of use. */
  no_such_site: None
  site_not_allowed: None
  visitor_token_needed: None
  wrong_origin_of_site: None
  no_such_upload: None
  visitor_uploads_full: None
  too_many_talks: None
  too_many_requests: None
  too_many_enquiries: None
  streams_full: None
  ticket_used_up: None
  enquiry_too_quick: None
  enquiry_reach_needed: None
  form_type: None
}
