/** The reasons of a handover. Extensible. Spec: Events › Words in payloads. */
export const HANDOVER_REASONS = [
  'customer_asked_for_person',
  'missing_information',
  'needs_staff_action',
  'customer_upset',
  'qualified_lead',
  'flow_handover',
  'message_burst',
  'unsupported_media',
] as const
export type HandoverReason = (typeof HANDOVER_REASONS)[number]

/** Kinds of entries between the messages of a conversation. Extensible. Spec: Inbox › Timeline. */
export const ENTRY_KINDS = [
  'note',
  'handed_over',
  'handover_asked',
  'taken_over',
  'given_back',
  'assigned',
  'resolved',
  'reopened',
  'flow_kept_out',
  'unreachable',
  'reachable',
  'same_customer',
  'number_gone',
  'number_changed',
  'tags_left_out',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
