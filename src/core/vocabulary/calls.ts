import { REQUEST_FAILURES } from './request-failures.ts'

/** Methods of a call to the merchant's API. Spec: Calls › HTTP steps. */
export const CALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type CallMethod = (typeof CALL_METHODS)[number]

/** Authentication methods of an API connection. Spec: Calls › Connections. */
export const CONNECTION_AUTH_KINDS = ['none', 'bearer', 'basic', 'header', 'query'] as const
export type ConnectionAuthKind = (typeof CONNECTION_AUTH_KINDS)[number]

/** Identifiers by which an AI action may know its customer. Spec: Calls › AI actions. */
export const ACTION_IDENTITIES = ['none', 'phone', 'email', 'contact_id'] as const
export type ActionIdentity = (typeof ACTION_IDENTITIES)[number]

/** Channels on which an AI action is offered: all, or those that verify the sender. Spec: Calls › AI actions. */
export const ACTION_CHANNELS = ['all', 'verified'] as const
export type ActionChannels = (typeof ACTION_CHANNELS)[number]

/** Sources of calls to the merchant's API. */
export const CALL_SOURCES = ['step', 'action', 'test'] as const

/** Reasons why a call to the merchant's API was not sent and not counted. */
export const CALLS_NOT_MADE = [
  'connection_deleted',
  'connection_off',
  'credential_unreadable',
  'not_in_plan',
  'allowance_used_up',
  'no_time_left',
  'not_wanted',
  'path_refused',
  'path_value_refused',
  'path_too_long',
  'header_refused',
  'body_refused',
  'body_too_large',
] as const
export type CallNotMade = (typeof CALLS_NOT_MADE)[number]

/** Reasons why a call failed. Spec: Errors › Failed calls. */
export const CALL_FAILURES = [
  ...CALLS_NOT_MADE,
  ...REQUEST_FAILURES,
  'answer_too_large',
  'answer_unreadable',
] as const
export type CallFailure = (typeof CALL_FAILURES)[number]

/** Reasons why a proposal can no longer be accepted. Spec: States › Proposal of an AI action. */
export const PROPOSAL_WITHDRAWALS = [
  'refused',
  'unclear',
  'too_late',
  'replaced',
  'not_stated',
  'taken_over',
  'opted_out',
  'action_changed',
  'connection_changed',
  'appointment_changed',
  'customer_changed',
] as const
export type ProposalWithdrawal = (typeof PROPOSAL_WITHDRAWALS)[number]

/** Folded words that mark an action as a cancellation: "cancel" then does not refuse it. */
export const CANCELLING_WORDS = ['cancel', 'الغاء', 'الغي', 'يلغي', 'تلغي', 'نلغي', 'كنسل'] as const
