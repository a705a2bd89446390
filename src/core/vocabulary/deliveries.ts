import { REQUEST_FAILURES } from './request-failures.ts'

/** The states of a delivery. Spec: States › Delivery. */
export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'dead_lettered',
  'held',
  'superseded',
  'cancelled',
  'expired',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Origins of a delivery: an event, a resend by a person, or Send test. */
export const DELIVERY_KINDS = ['event', 'resend', 'test'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

/** Named filters of the delivery log. */
export const DELIVERY_VIEWS = ['failed', 'retrying', 'gave_up', 'slow'] as const
export type DeliveryView = (typeof DELIVERY_VIEWS)[number]

/** Badges of deliveries: a pending delivery is `waiting` before its first attempt and `retrying` after it. */
export const DELIVERY_BADGES = [
  'waiting',
  'retrying',
  'delivered',
  'failed',
  'held',
  'superseded',
  'cancelled',
  'expired',
] as const
export type DeliveryBadge = (typeof DELIVERY_BADGES)[number]

/** States of an endpoint's badge. */
export const ENDPOINT_STATES = [
  'untried',
  'untried_since_on',
  'healthy',
  'failing',
  'not_in_plan',
  'off_failures',
  'off_gone',
  'off_by_member',
] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

/** Kinds of jobs: resending what a filter finds, or releasing held deliveries. */
export type ResendJobKind = 'resend' | 'held'
export type ResendJobState = 'running' | 'paused' | 'done' | 'cancelled'
export type ResendJobReason = 'by_member' | 'endpoint_off' | 'endpoint_deleted' | 'not_in_plan'

/** Reasons why an attempt failed, in one word each; the log adds a hint. Spec: Errors › Attempts. */
export const ATTEMPT_ERRORS = [...REQUEST_FAILURES, 'gone', 'unreadable'] as const
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

/** Reasons why an endpoint is off. Spec: States › Endpoint. */
export const OFF_REASONS = ['failures_in_row', 'failing_for_days', 'gone', 'by_member'] as const
export type OffReason = (typeof OFF_REASONS)[number]
