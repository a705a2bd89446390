import type { VisitorFacts } from '../../core/facts/visitors.ts'
import type { Catalog } from '../catalog.ts'

export const EN_VISITORS: Catalog<VisitorFacts> = {
  no_such_site: () => 'No active widget or form has this key.',
  site_not_allowed: () =>
    'This website isn’t allowed to show it. Add it to the channel’s allowed sites.',
  visitor_token_needed: () =>
    'Send a session’s visitorToken as Authorization: Bearer. Get one from POST /widget/v1/sessions.',
  wrong_origin_of_site: () =>
    'must be a website address such as https://shop.example.com; http works only on this machine',
  no_such_upload: () => 'isn’t a file you uploaded and haven’t sent yet. Upload it again',
  visitor_uploads_full: () => 'Too many files were uploaded here recently. Try again later.',
  too_many_talks: () => 'Too many conversations were started from this address. Try again later.',
  too_many_requests: () => 'Too many requests came from this address. Try again in a minute.',
  too_many_enquiries: () => 'Too many enquiries came from this address. Try again in a minute.',
  streams_full: () => 'Too many streams are open. Poll for messages instead.',
  ticket_used_up: () =>
    'The ticket has been used, has expired, or belongs to a visitor who hasn’t sent a message yet. Request a new one.',
  enquiry_too_quick: () => 'The form was sent too quickly. Send it again.',
  enquiry_reach_needed: () => 'is required unless you enter a phone number, so that we can reply',
  form_type: () => 'Send the form as application/json or application/x-www-form-urlencoded.',
}
