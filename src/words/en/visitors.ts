import type { VisitorFacts } from '../../facts/visitors.ts'
import type { Sentences } from '../sentences.ts'

export const EN_VISITORS: Sentences<VisitorFacts> = {
  no_such_site: () => 'No widget or form in use has this key.',
  site_not_allowed: () =>
    'This website is none of those where it may stand. Add it to the channel’s allowed sites.',
  visitor_token_needed: () =>
    'Send the visitorToken of a session as Authorization: Bearer. POST /widget/v1/sessions gives one.',
  wrong_origin_of_site: () =>
    'must be the address of a website, such as https://shop.example.com; without https only on this machine',
  no_such_upload: () => 'is no file of yours that waits to be sent. Upload it again',
  visitor_uploads_full: () => 'Too many files were sent here lately. Try again later.',
  too_many_talks: () => 'Too many conversations began from this address. Try again later.',
  too_many_requests: () => 'Too many requests came from this address. Try again in a minute.',
  too_many_enquiries: () => 'Too many enquiries came from this address. Try again in a minute.',
  streams_full: () => 'Too many streams are open. Ask for messages now and then instead.',
  ticket_used_up: () =>
    'The ticket is used up, too old, or of a visitor who has said nothing yet. Ask for another one.',
  enquiry_too_quick: () => 'This was sent quicker than anybody fills in a form. Send it again.',
  enquiry_reach_needed: () => 'must be given, or a phone number: nobody could answer else',
  form_type: () => 'Send it as application/json or application/x-www-form-urlencoded.',
}
