/** The plans of an account; Business is the highest. Spec: Concepts › Plans. */
export const PLANS = ['free', 'starter', 'pro', 'business'] as const
export type Plan = (typeof PLANS)[number]

/**
 * The reasons for which nothing is accepted, sent or done for an account: it is being exported, works in another
 * installation, or was imported and not released yet.
 */
export type AccountHold = 'leaving' | 'moved' | 'arrived'

/** The roles of members: Owners and Admins set up, and an Agent works the inbox. Spec: Concepts › Roles. */
export const ROLES = ['owner', 'admin', 'agent'] as const
export type Role = (typeof ROLES)[number]

/** Notices to the Owners and Admins of an account, and to a member who is mentioned in a note. Extensible. */
export const NOTICE_KINDS = [
  'endpoint_switched_off',
  'endpoint_failing',
  'mentioned',
  'appointments_outside_hours',
  'model_broken',
  'model_allowance',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Numerals of the dashboard in Arabic: 0 to 9, or ٠ to ٩. */
export const DIGITS = ['latin', 'arabic'] as const
export type Digits = (typeof DIGITS)[number]

/** Times in the dashboard: in the viewer's time zone, or UTC. */
export const TIMES_SHOWN = ['local', 'utc'] as const
export type TimeShown = (typeof TIMES_SHOWN)[number]

/** Reasons for a failed sign-in, a part of the problem codes. */
export const SIGN_IN_FAILURES = ['sign_in_failed', 'rate_limited', 'forbidden'] as const
export type SignInFailure = (typeof SIGN_IN_FAILURES)[number]
