/** Spec: Concepts › Plans. Business is the highest. */
export const PLANS = ['free', 'starter', 'pro', 'business'] as const
export type Plan = (typeof PLANS)[number]

/** Owners and Admins set up; an Agent works the inbox. Spec: Concepts › Roles. */
export const ROLES = ['owner', 'admin', 'agent'] as const
export type Role = (typeof ROLES)[number]

/** What the Owners and Admins of an account are told, and a member who is named in a note. Extensible. */
export const NOTICE_KINDS = ['endpoint_switched_off', 'endpoint_failing', 'mentioned'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]
