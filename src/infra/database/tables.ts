/**
 * The type of every table, written by `node scripts/generate-tables.ts` from the migrations. Do not
 * edit it: change the files in `migrations/` and run the script again.
 */
import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface Account {
  createdAt: Timestamp;
  /** The time when the deletion of the rows of a moved account began, after which the move cannot be undone */
  deletionBeganAt: Timestamp | null;
  /** The reason why the account accepts, sends and processes nothing: it is being exported (leaving), works in another installation (moved), or was imported and is not released yet (arrived). Null while it works */
  hold: string | null;
  /** The time when the hold began */
  holdSince: Timestamp | null;
  id: string;
  /** The daily limit of tokens for language models that the Owner has set; null for the limit of the operator */
  modelTokensPerDay: number | null;
  name: string | null;
  /** True when members without a second factor may only set one up */
  needsSecondFactor: Generated<boolean>;
  /** The plan of the account, which its projects share */
  plan: string;
  /** The number of automated templates a day that the operator has set; null for the number of the plan */
  templatesPerDay: number | null;
}

export interface ActionDay {
  calls: number;
  companyId: string;
  /** The id of the contact, or of the conversation for a customer without a contact */
  customer: string;
  /** A UTC day */
  day: Timestamp;
}

export interface ActionProposal {
  actionId: string | null;
  /** The appointment to cancel; null for a call of an action */
  appointmentId: string | null;
  /** JSON text: the arguments that the customer is shown, with which alone the action is called */
  arguments: string;
  companyId: string;
  confirmationCount: Generated<number>;
  /** The message that states the proposal; the last one if it was stated again */
  confirmationMessageId: string | null;
  /** The time when the provider accepted that message; an agreement comes later */
  confirmationSentAt: Timestamp | null;
  /** The reply that began with the customer's agreement */
  confirmedBy: string | null;
  conversationId: string;
  createdAt: Timestamp;
  /** The reply of the assistant whose last part states the proposal */
  draftedBy: string;
  endedAt: Timestamp | null;
  id: string;
  /** The customer's value at the time of the proposal, when the action concerns the customer */
  identity: string | null;
  /** The revision of the action, or the version of the appointment, that the proposal states */
  revision: number;
  startedAt: Timestamp | null;
  /** drafted until the provider accepted the message that states it, then proposed; started before the call is made. A proposal that stays started was interrupted, and is never called again */
  state: string;
  withdrawnBecause: string | null;
}

export interface ActionReply {
  calls: number;
  companyId: string;
  replyId: string;
  startedAt: Timestamp;
  /** The total duration of its calls in milliseconds */
  usedMs: Generated<number>;
}

export interface AiAction {
  companyId: string;
  /** The connection of the definition's request */
  connectionId: string;
  createdAt: Timestamp;
  /** JSON text (contract/ai-action) */
  definition: string;
  id: string;
  isOn: boolean;
  needsConfirmation: boolean;
  /** The number of changes; a proposal is valid only for the revision that it states */
  revision: Generated<number>;
  toolName: string;
  updatedAt: Timestamp;
}

export interface ApiConnection {
  authKind: string;
  /** The header or query parameter that contains the key */
  authName: string | null;
  baseUrl: string;
  companyId: string;
  createdAt: Timestamp;
  /** Encrypted JSON text: a token, or a user name and a password; erased on deletion */
  credential: string | null;
  /** The last four characters, which members see; null for a credential of fewer than 12 characters */
  credentialLastFour: string | null;
  deletedAt: Timestamp | null;
  /** JSON text: names and values that are sent with every call */
  headers: Generated<string>;
  id: string;
  isOn: Generated<boolean>;
  name: string;
  timeoutMs: number;
  updatedAt: Timestamp;
}

export interface Appointment {
  cancellationReason: string | null;
  cancelledAt: Timestamp | null;
  cancelledBy: string | null;
  companyId: string;
  contactId: string | null;
  conversationId: string | null;
  createdAt: Timestamp;
  createdBy: string | null;
  /** The customer's name as given at the booking */
  customerName: string | null;
  email: string | null;
  endsAt: Timestamp;
  id: string;
  language: string | null;
  /** The wall time of the start at the booking, YYYY-MM-DDTHH:MM. If newer zone data give another one, members are asked */
  localStart: string;
  /** E.164; only if the number was given with its country */
  phone: string | null;
  /** A number without its country, as given */
  rawPhone: string | null;
  /** The reference for people: short, without letters that look alike */
  reference: string;
  /** The idempotency key: a repeated request books once */
  requestKey: string;
  serviceId: string;
  /** The name of the service at the booking */
  serviceName: string;
  serviceNameAr: string | null;
  source: string;
  startsAt: Timestamp;
  status: Generated<string>;
  updatedAt: Timestamp;
  /** A number that grows with each move and cancellation; SEQUENCE in calendars */
  version: Generated<number>;
  /** IANA name of the time zone of the appointment's wall time */
  zone: string;
}

export interface AppointmentBusy {
  appointmentId: string;
  busy: string;
  companyId: string;
  /** True when the appointment was cancelled and the time can be booked again */
  isFree: Generated<boolean>;
  resourceId: string;
}

export interface AppointmentEntry {
  /** The person id of the member, or the id of the flow's run */
  actorId: string | null;
  actorKind: string;
  appointmentId: string;
  at: Timestamp;
  companyId: string;
  /** The data of its kind, which the service writes */
  data: Generated<Json>;
  id: string;
  kind: string;
}

export interface AppointmentLink {
  appointmentId: string;
  companyId: string;
  createdAt: Timestamp;
  tokenHash: Buffer;
}

export interface AppointmentNotice {
  /** The actor of the change; notices of changes that customers make on a page are limited for each recipient and company */
  actorKind: string;
  appointmentId: string;
  /** The claim (fencing token) of the process that sends the notice; it names the node */
  claimId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** The time of the next attempt; the end of the lease of a claimed notice */
  dueAt: Timestamp | null;
  id: string;
  kind: string;
  leaseExpiresAt: Timestamp | null;
  mailAttempts: Generated<number>;
  /** The message of the notice; null for an e-mail */
  messageId: string | null;
  /** The reason why the customer was not notified: a fact, as JSON text */
  reason: string | null;
  /** SHA-256 of the company and the number or e-mail address of the recipient */
  recipientHash: Buffer | null;
  settledAt: Timestamp | null;
  /** The state; queued is a message of the outbox. mailing is an e-mail that is being sent; after its lease it is unknown, and is not sent again */
  state: Generated<string>;
  /** The version of the appointment that the notice describes; a later change has a notice that describes it */
  version: number;
}

export interface Assistant {
  companyId: string;
  debounceMs: Generated<number>;
  guidance: Generated<string>;
  handsOverQualified: Generated<boolean>;
  isOn: Generated<boolean>;
  /** The language for customers whose messages, conversation and contact show none */
  language: Generated<string>;
  leadCriteria: Generated<string>;
  /** The name that the assistant uses for itself; null for the company's assistant */
  name: string | null;
  profile: Generated<string>;
  qualifyAt: Generated<number>;
  /** The keys of the contact fields that the model may see */
  readableFields: Generated<string[]>;
  /** True when photos are shown to the models that read them */
  readsImages: Generated<boolean>;
  revision: Generated<number>;
  /** The tags that the assistant may add */
  tags: Generated<string[]>;
  /** JSON text: the company's own sentences of a handover, by language; the defaults apply without them */
  texts: Generated<string>;
  tone: Generated<string>;
  /** True when voice notes are transcribed, if a model can */
  transcribes: Generated<boolean>;
  updatedAt: Timestamp;
}

export interface AssistantReply {
  /** The newest message of the customer that the model has received */
  answeredMessageId: string | null;
  /** The encrypted data that models require back while the reply uses tools, by the requesting step. It is null once the reply is decided, so a change of keys does not encrypt it again */
  carried: string | null;
  claimId: string | null;
  companyId: string;
  /** True when the last part is being sent and states no proposal, so that the reply is complete once the provider accepts it */
  completesOnAccept: Generated<boolean>;
  conversationId: string;
  debounceMaxAt: Timestamp | null;
  debounceUntil: Timestamp | null;
  detail: string | null;
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  /** The reason of the end: a fact, as JSON text */
  endReason: string | null;
  /** A fencing token that grows when another message restarts the reply: results of an earlier epoch are discarded */
  epoch: Generated<number>;
  /** The number of consecutive advances that failed by an error of the service */
  failureCount: Generated<number>;
  firstMessageId: string;
  /** True when a tool has done something that cannot be undone, so that the reply is not restarted */
  hasEffect: Generated<boolean>;
  /** The time up to which the model has received messages */
  heardAt: Timestamp | null;
  id: string;
  /** The newest message of the customer that belongs to the reply */
  lastMessageId: string;
  leaseExpiresAt: Timestamp | null;
  modelRequests: Generated<number>;
  notedAt: Timestamp;
  /** JSON text: the parts of the reply's text */
  parts: string | null;
  restarts: Generated<number>;
  startedAt: Timestamp;
  state: string;
  thinkingAt: Timestamp | null;
  tokensIn: Generated<number>;
  tokensOut: Generated<number>;
}

export interface AssistantStep {
  companyId: string;
  /** JSON text: the data of its kind, such as chunks with their scores */
  data: string | null;
  endedAt: Timestamp | null;
  epoch: number;
  failure: string | null;
  /** JSON text: the arguments of a tool, or the hashes of the parts of a model's prompt */
  input: string | null;
  kind: string;
  name: string | null;
  number: number;
  replyId: string;
  /** The result that the model received, or its answer */
  result: string | null;
  startedAt: Timestamp;
  state: string;
  tokensIn: number | null;
  tokensOut: number | null;
}

export interface Audit {
  accountId: string;
  action: string;
  actorId: string | null;
  actorKind: string;
  companyId: string | null;
  createdAt: Timestamp;
  /** JSON text without secrets, tokens and credentials */
  detail: string | null;
  id: string;
  subjectId: string;
  subjectKind: string;
}

export interface BookingPage {
  /** The address of the shop, shown with an appointment */
  address: string | null;
  addressAr: string | null;
  /** The colour behind the page as #rrggbb */
  background: string | null;
  /** Minimum time in minutes before the start at which the customer's link cancels */
  cancelUntilMin: number;
  /** The colour of buttons and marks as #rrggbb; the page chooses the colour of their text */
  colour: string | null;
  companyId: string;
  intro: string | null;
  introAr: string | null;
  isOn: Generated<boolean>;
  /** The number of days ahead that customers may book */
  maxDays: number;
  /** Minimum time between a booking and its start, in elapsed minutes */
  minNoticeMin: number;
  /** The shop's name for customers; null for the company's name */
  name: string | null;
  nameAr: string | null;
  /** The channel of the template for customers without a conversation that allows a message */
  noticeChannelId: string | null;
  /** The name of that template; null to send none */
  noticeTemplate: string | null;
  /** The phone number that the page shows with an appointment */
  phone: string | null;
  /** The last part of the public page's address, /b/{slug}; unique among all companies */
  slug: string | null;
  updatedAt: Timestamp;
  /** IANA name of the time zone of days and hours; null for that of the company */
  zone: string | null;
}

export interface Broadcast {
  /** JSON text (contract/dashboard/broadcast, Audience): the audience as a member chose it */
  audience: string;
  /** JSON text: the category of each approved version of the template by language, at the last start or resume by a member; null for a draft */
  categories: string | null;
  channelId: string;
  companyId: string;
  countedAt: Timestamp | null;
  /** The numbers of recipients by outcome at the worker's last count */
  counts: Generated<Json>;
  createdAt: Timestamp;
  createdBy: string | null;
  /** The time of its next page; while paused and after the end, of the next count */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  /** The number up to which all recipients are enqueued or skipped */
  enqueuedTo: Generated<number>;
  /** JSON text: the filter of the audience when preparing began; later changes of a segment have no effect */
  filter: string | null;
  id: string;
  name: string;
  /** The present rate in messages a second, which is its share of the number's rate */
  pace: number | null;
  /** Maximum number of messages a second, which concurrent broadcasts of one number share */
  perSecond: number;
  /** The last contact that was processed while preparing */
  position: string | null;
  /** The time when all recipients were inserted */
  preparedAt: Timestamp | null;
  /** The reason of a pause: a fact, as JSON text; null if a member paused it */
  reason: string | null;
  /** The time of the last start or resume; earlier failures do not pause it again */
  resumedAt: Timestamp | null;
  /** The scheduled start; null without a schedule */
  sendAt: Timestamp | null;
  startedAt: Timestamp | null;
  state: string;
  /** JSON text (contract/dashboard/broadcast, BroadcastTemplate), with placeholders in its values */
  template: string;
  /** The number of recipients */
  total: Generated<number>;
  updatedAt: Timestamp;
}

export interface BroadcastRecipient {
  broadcastId: string;
  companyId: string;
  /** The contact; null if the contact was merged into another recipient */
  contactId: string | null;
  /** The last attempt; null while the recipient waits, and for a skipped one */
  messageId: string | null;
  /** The number of the recipient from 1, by contact id, which is the order of sending */
  number: number;
  skipReason: string | null;
  /** Details of why the recipient is skipped: a fact, as JSON text */
  why: string | null;
}

export interface CalendarLink {
  companyId: string;
  createdAt: Timestamp;
  id: string;
  personId: string;
  /** The resource; null for the appointments of all */
  resourceId: string | null;
  tokenHash: Buffer;
}

export interface CallDay {
  accountId: string;
  /** A UTC day */
  day: Timestamp;
  /** The number of attempts of the account and its projects, including retries and tests */
  made: number;
}

export interface CallLog {
  actionId: string | null;
  companyId: string;
  connectionId: string;
  conversationId: string | null;
  durationMs: number;
  /** The reason of a failure, a word of CALL_FAILURES; null after a success */
  error: string | null;
  host: string;
  id: string;
  isRepeat: boolean;
  method: string;
  /** The path of the base URL and the request together, with its values filled in */
  path: string;
  /** The member who made a test call; null for other calls */
  personId: string | null;
  runId: string | null;
  source: string;
  startedAt: Timestamp;
  /** The status of the response, also if the response was not read to its end */
  status: number | null;
  stepId: string | null;
}

export interface CannedReply {
  companyId: string;
  createdAt: Timestamp;
  /** The member who created the reply; null after the membership has ended */
  createdBy: string | null;
  id: string;
  language: string | null;
  shortcut: string;
  text: string;
  updatedAt: Timestamp;
}

export interface Channel {
  /** The claim (fencing token) of the process that reads its templates; it names the node */
  claimId: string | null;
  companyId: string;
  /** The country of the number (ISO 3166-1 alpha-2) */
  country: string | null;
  createdAt: Timestamp;
  /** Encrypted JSON, bound to this row */
  credentials: string;
  /** The time of the deletion, which erases the credentials; the row stays for its conversations */
  deletedAt: Timestamp | null;
  /** The reason why the channel is not connected: a fact, as JSON text */
  disconnectedReason: string | null;
  /** The phone number, as digits without + */
  displayNumber: string | null;
  /** True when the owner does not share the history */
  historyDeclined: Generated<boolean>;
  /** The progress of the whole history, as the provider reports it */
  historyPercent: number | null;
  /** The phase of the imported history: 0 is the last day, 1 reaches back to 90 days and 2 to 180 days; null before any */
  historyPhase: number | null;
  /** The time of the provider's last report on the history */
  historyReportedAt: Timestamp | null;
  id: string;
  /** True when the owner also uses the number in the provider's own app, as messages from the app have shown. Such a number may send fewer messages a second */
  isCoexistence: Generated<boolean>;
  isConnected: boolean;
  isSimulated: Generated<boolean>;
  leaseExpiresAt: Timestamp | null;
  name: string | null;
  /** The reason why events of the provider do not arrive although the channel is connected: a fact, as JSON text */
  problem: string | null;
  /** The WhatsApp Business account id */
  providerAccount: string | null;
  /** The name of the channel in the provider's webhooks: phone number id, page id or bot id */
  providerRoute: string;
  /** The time when a member accepted the risk of connecting in a way that the provider does not offer; null for the ways that it offers */
  riskAcceptedAt: Timestamp | null;
  riskAcceptedBy: string | null;
  /** JSON text: the values of its form that are no secrets, by name */
  settings: Generated<string>;
  /** The number of hours for which a reply of the owner in the provider's app keeps flows and the assistant out of a conversation */
  takeOverHours: Generated<number>;
  /** The time of the next read of the provider's templates, which is the end of the lease during a read; null when templates are only read on request */
  templatesDueAt: Timestamp | null;
  type: string;
  updatedAt: Timestamp;
  /** SHA-256 of the verify token that the provider sends; null without one, and for a deleted channel */
  verifyTokenHash: Buffer | null;
}

export interface ChannelPoll {
  channelId: string;
  /** The claim (fencing token) of the process that polls; it names the node */
  claimId: string | null;
  /** The time of the next poll, which is the end of the lease during a poll */
  dueAt: Timestamp;
  /** The number of consecutive failed polls */
  failureCount: Generated<number>;
  leaseExpiresAt: Timestamp | null;
  /** The number of consecutive polls whose credentials the provider refused; a poll that failed otherwise changes nothing */
  refusalCount: Generated<number>;
}

export interface ChannelState {
  channelId: string;
  companyId: string;
  id: string;
  name: string;
  /** Encrypted, bound to this row */
  value: string;
}

export interface ChannelThrottle {
  channelId: string;
  /** The message that is being sent */
  messageId: string | null;
  /** The earliest time of the next send; during a send the time at which it counts as lost */
  nextAt: Timestamp;
  /** The end times of the last sends, the oldest first, at most as many as are allowed in an hour */
  recent: Generated<ArrayType<Timestamp>>;
}

export interface CloseJob {
  accountId: string;
  /** The time from which a message keeps its conversation open */
  before: Timestamp;
  closed: Generated<number>;
  companyId: string;
  createdAt: Timestamp;
  /** The time of the next page */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  filter: Json;
  id: string;
  lookedAt: Generated<number>;
  /** The last conversation that was processed */
  position: Generated<string>;
  startedBy: string;
  state: string;
}

export interface Company {
  accountId: string;
  createdAt: Timestamp;
  id: string;
  isProject: Generated<boolean>;
  name: string | null;
  /** JSON text: ranges by weekday, in minutes from midnight (rules/flows/opening-hours); null when unknown, which counts as always open */
  openingHours: string | null;
  /** The salt of the hashes in opt_out_memory; null until a contact who was opted out is erased */
  optOutSalt: string | null;
  /** IANA name of the time zone for opening hours and for the days in flows */
  timeZone: Generated<string>;
}

export interface CompanyHookCount {
  companyId: string;
  requests: number;
  /** The clock hour in which requests are counted */
  windowStart: Timestamp;
}

export interface Contact {
  companyId: string;
  createdAt: Timestamp;
  email: string | null;
  /** The origin of the e-mail address, as in source; null without an address, or if the origin is unknown */
  emailFrom: string | null;
  /** The values of custom fields by key, as texts; also those of archived fields, which are in no event */
  fields: Generated<Record<string, string>>;
  id: string;
  language: string | null;
  name: string | null;
  /** The time of the opt-out; set exactly while the contact is opted out */
  optedOutAt: Timestamp | null;
  /** The time of the newest word or action that opted the contact out or in, even if it changed nothing. An older one that arrives later is ignored */
  optOutWordAt: Timestamp | null;
  /** The kind of that word or action */
  optOutWordHow: string | null;
  /** E.164; null when unknown or without a country code */
  phone: string | null;
  /** A number without its country, as it was written. Members see it; it identifies no customer and is in no event */
  rawPhone: string | null;
  /** The name in the form in which it is searched: folded, in ASCII letters (rules/text/search-form) */
  searchName: string | null;
  /** The origin of the contact: a message on a channel, a hook, a member, an import, a booking on the public page, or an enquiry from a website */
  source: Generated<string>;
  tags: Generated<string[]>;
  updatedAt: Timestamp;
  /** The business-scoped or @lid id; null when only a number is known */
  whatsappId: string | null;
}

export interface ContactField {
  /** The time of the archiving; the values are kept, and are in no event and on no screen until the field is restored */
  archivedAt: Timestamp | null;
  /** The values that a field of the kind choice may have */
  choices: Generated<string[]>;
  companyId: string;
  createdAt: Timestamp;
  id: string;
  /** The key of the values in events and rows, which never changes */
  key: string;
  kind: string;
  label: string;
  updatedAt: Timestamp;
}

export interface ContactImport {
  /** JSON text: the header of each property of a contact */
  columns: string | null;
  /** The number of rows that were combined with an earlier row of the same contact */
  combined: Generated<number>;
  companyId: string;
  /** The country of numbers without a country code (ISO 3166-1 alpha-2) */
  country: string | null;
  created: Generated<number>;
  createdAt: Timestamp;
  createdBy: string | null;
  delimiter: string;
  dueAt: Timestamp | null;
  /** The encoding of an uploaded CSV file; null for a workbook */
  encoding: string | null;
  endedAt: Timestamp | null;
  /** The position of the first row after the header */
  firstByte: number;
  /** The first row of the file */
  headers: string[];
  id: string;
  leftOut: Generated<number>;
  mode: string | null;
  name: string;
  /** The position of the next page in the file, updated in the transaction that writes a page */
  nextByte: number;
  /** The number of the row that is read, checked or imported next; the header is row 1 */
  nextRow: Generated<number>;
  /** The reason of a failure: a fact, as JSON text */
  reason: string | null;
  /** The number of rows below the header; null until all of them are read */
  rowsFound: number | null;
  /** JSON text: the cells of the first rows */
  sample: Generated<string>;
  /** The size of the file in UTF-8, in bytes */
  size: number;
  state: string;
  unchanged: Generated<number>;
  updated: Generated<number>;
}

export interface ContactImportFile {
  /** The rows as CSV in UTF-8 */
  bytes: Buffer;
  importId: string;
  /** The file as uploaded, if it was no UTF-8; null for a workbook, whose rows are stored as CSV */
  original: Buffer | null;
}

export interface ContactImportRow {
  /** JSON text: the values; once rows are combined, the first row of a contact has the values of all of them */
  cells: string | null;
  /** The contact that the row creates or changes */
  contactId: string | null;
  /** The e-mail address in lower case */
  email: string | null;
  /** True when importing the row gives its contact an e-mail address that the contact did not have */
  givesEmail: Generated<boolean>;
  importId: string;
  /** The earlier row of the same contact */
  intoRow: number | null;
  /** True when no cell has an error */
  isReadable: boolean;
  /** The key of the contact: rows with the same key concern one contact */
  key: string | null;
  /** JSON text: remarks on the row for members */
  notes: string | null;
  /** The digits of the phone number, also of one without its country */
  number: string | null;
  outcome: string | null;
  row: number;
}

export interface ContactMerge {
  companyId: string;
  fromId: string;
  /** The values, fields and tags that the remaining contact received by this merge */
  given: Generated<Json>;
  intoId: string;
  mergedAt: Timestamp;
  /** The member who merged them; null when the provider showed that both are one account */
  mergedBy: string | null;
  /** The ids of the moved rows by table; for leads the status that the merge took from them */
  moved: Generated<Json>;
  /** JSON text: the contact before the merge */
  snapshot: string;
}

export interface ContactTag {
  companyId: string;
  tag: string;
}

export interface ContactTagJob {
  changed: Generated<number>;
  companyId: string;
  createdAt: Timestamp;
  createdBy: string | null;
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  id: string;
  /** The new name of the tag; null to remove it */
  newTag: string | null;
  state: string;
  tag: string;
}

export interface Conversation {
  /** The time when conversation.started was raised, or when history brought a message of the customer; null while only the business has written */
  announcedAt: Timestamp | null;
  assigneeId: string | null;
  /** The time since which the provider reports that the customer blocks the business; it refuses all messages */
  blockedSince: Timestamp | null;
  channelId: string;
  channelType: string;
  /** The end of the service window if the conversation needs staff, else null; messages in other conversations update no index */
  closesAt: Generated<Timestamp | null>;
  companyId: string;
  /** The contact of the identity, which the reference to the identity enforces; null for a visitor of a widget */
  contactId: string | null;
  createdAt: Timestamp;
  /** The customer's id that was known when the conversation began: digits without +, a business-scoped id, an @lid id or another provider id. It never changes */
  filedUnder: string;
  handledBy: Generated<string>;
  id: string;
  /** The identity of the customer; null for a visitor of a widget */
  identityId: string | null;
  /** The language of the customer's last messages, as the assistant recognised it: ar or en */
  language: string | null;
  /** The member who wrote the last message; null if no member did */
  lastAuthorId: string | null;
  lastCustomerAt: Timestamp | null;
  lastMessageAt: Timestamp | null;
  /** The sender of the last message, as in message.sender */
  lastSender: string | null;
  /** The first 200 characters of the last message */
  lastText: string | null;
  /** The minute of the last message, or of the beginning; more messages within a minute update no index */
  latestMinute: Generated<Timestamp>;
  /** True when a member of staff has to look at the conversation, also if staff does not handle it */
  needsStaff: Generated<boolean>;
  resolvedAt: Timestamp | null;
  /** The member who last resolved the conversation; null for the service and for a flow */
  resolvedBy: string | null;
  /** The end of the service window that the customer's last message opened; null before any message, and on channels without a window */
  serviceWindowEndsAt: Timestamp | null;
  /** The time up to which the team has seen the conversation; later messages of the customer are unread */
  staffSeenAt: Timestamp | null;
  status: Generated<string>;
  /** The time when staff last took over; a run that a member starts later continues while staff handles the conversation */
  takenOverAt: Timestamp | null;
  /** The time when a conversation that staff handles because of the owner's replies in the provider's app is given back automatically; null when a person took over */
  takenOverUntil: Timestamp | null;
  /** A counter of customer's messages and handovers; a decision that was made at an older value is obsolete */
  turn: Generated<number>;
  /** The e-mail address that a visitor of a widget gave */
  visitorEmail: string | null;
  /** The name that a visitor of a widget gave; it is stored here because visitors are no contacts */
  visitorName: string | null;
  /** The time of the oldest unanswered message for staff; null when none waits */
  waitingSince: Timestamp | null;
}

export interface ConversationEntry {
  /** The person id of the member, or the id of the flow's run */
  actorId: string | null;
  actorKind: string;
  /** The position in the order in which messages and entries were inserted, which orders those of the same time */
  arrival: Generated<number>;
  at: Timestamp;
  companyId: string;
  conversationId: string;
  /** The data of its kind, which the service writes */
  data: Generated<Json>;
  editedAt: Timestamp | null;
  id: string;
  /** The conversation in which the action was made, if that one was joined to this one */
  joinedFrom: string | null;
  kind: string;
  text: string | null;
}

export interface ConversationJoin {
  companyId: string;
  fromId: string;
  intoId: string;
  joinedAt: Timestamp;
}

export interface DeliveryAttempt {
  /** The first 2,048 bytes of the response body, as received */
  answerHead: Buffer | null;
  answerHeaders: Buffer | null;
  /** True when the response body was, or may have been, longer than answer_head; null without a response */
  answerIsCut: boolean | null;
  answerMs: number | null;
  companyId: string;
  connectMs: number | null;
  deliveryId: string;
  dnsMs: number | null;
  durationMs: number;
  error: string | null;
  errorDetail: string | null;
  /** True when the response had more headers than answer_headers; null without a response */
  headersAreCut: boolean | null;
  httpStatus: number | null;
  id: string;
  /** True when the attempt ended after its lease had gone to another worker: it is logged, and changes nothing */
  isLate: Generated<boolean>;
  /** The number of the attempt of its delivery, from 1 to 8 */
  number: number;
  remoteAddress: string | null;
  /** The last four characters of each secret that signed the request, with a comma between them */
  signedWith: string;
  startedAt: Timestamp;
  url: string;
}

export interface DeliveryHour {
  attempts: Generated<number>;
  companyId: string;
  /** The total duration of these attempts */
  durationMs: Generated<number>;
  endpointId: string;
  failures: Generated<number>;
  hour: Timestamp;
}

export interface DeliveryQueue {
  claimId: string | null;
  companyId: string;
  /** The time from which the next attempt may start; null exactly while held */
  dueAt: Timestamp | null;
  endpointId: string;
  /** The id of the delivery */
  id: string;
  kind: string;
  leaseExpiresAt: Timestamp | null;
  /** The queue in which a due delivery waits: first attempts of events, retries and resends (retry), or tests. A delivery in later is not due, or not enqueued yet; one in held waits for its endpoint or its plan */
  queue: string;
}

export interface Endpoint {
  apiVersion: string;
  companyId: string;
  createdAt: Timestamp;
  deletedAt: Timestamp | null;
  eventTypes: string[];
  id: string;
  isOn: Generated<boolean>;
  name: string;
  offAt: Timestamp | null;
  /** failures_in_row, failing_for_days, gone or by_member */
  offReason: string | null;
  updatedAt: Timestamp;
  url: string;
}

export interface EndpointHealth {
  companyId: string;
  endpointId: string;
  failingSince: Timestamp | null;
  /** The number of failed attempts since the last success, without tests */
  failuresInRow: Generated<number>;
  lastFailureAt: Timestamp | null;
  lastSuccessAt: Timestamp | null;
  /** Maximum number of concurrent attempts: 1 while the endpoint fails, and up to 8 again after successes */
  slots: Generated<number>;
  /** The time when the Owners were warned of the present failures */
  warnedAt: Timestamp | null;
}

export interface EndpointSecret {
  companyId: string;
  createdAt: Timestamp;
  endpointId: string;
  id: string;
  lastFour: string;
  /** Encrypted: v1.<key id>.<nonce>.<ciphertext and tag>, bound to this row */
  secret: string;
  /** The end of the overlap after a rotation; null for the current secret */
  signsUntil: Timestamp | null;
}

export interface Event {
  companyId: string;
  contactId: string | null;
  conversationId: string | null;
  /** A UUIDv7, which merchants see as evt_ and its 32 hexadecimal digits */
  id: string;
  isTest: Generated<boolean>;
  occurredAt: Timestamp;
  runId: string | null;
  type: string;
}

export interface EventBody {
  apiVersion: string;
  /** The exact bytes of the envelope when the event was raised, which all endpoints and retries share */
  body: Buffer;
  /** The id of the event; for a resend the id of its delivery, so that its copy is kept as long as the resend */
  id: string;
}

export interface File {
  /** The number of the download or deletion attempt, from 1 */
  attempt: Generated<number>;
  /** The channel of the provider that has a received file */
  channelId: string | null;
  /** The claim (fencing token) of the process that works on the file; it names the node */
  claimId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** The time of the next download or deletion: immediately for a dropped file, a day after the upload for one that no message uses */
  dueAt: Timestamp | null;
  id: string;
  leaseExpiresAt: Timestamp | null;
  /** The reason why the file is lost: a fact, as JSON text */
  lostReason: string | null;
  /** The media type that its bytes show, whatever the sender stated */
  mediaType: string | null;
  /** The file name that the sender gave, made harmless; null without one */
  name: string | null;
  /** JSON text: the reference to the file at the provider (channels, MediaRef), until the file is kept or lost */
  providerMedia: string | null;
  /** The purpose: received for a file of a customer, message for a member's upload that is sent once, flow for a file that flows send. The last is kept until a member deletes it */
  purpose: string;
  sha256: Buffer | null;
  /** The size in bytes; for an upload in progress the announced one */
  size: number | null;
  /** awaited until its bytes have arrived, then kept, or lost with lost_reason if they never arrived; dropped while its bytes, and then its row, are being deleted */
  state: string;
  uploadedBy: string | null;
  /** The visitor who uploaded the file in a widget; it is dropped unless a message uses it */
  visitorId: string | null;
}

export interface FileUpload {
  channelId: string;
  fileId: string;
  /** The time until which the provider is certain to have the file */
  knownUntil: Timestamp;
  providerMediaId: string;
}

export interface Flow {
  companyId: string;
  createdAt: Timestamp;
  deletedAt: Timestamp | null;
  /** The time of the first publication; of the flows beyond the plan's number the earliest published ones stay active */
  firstPublishedAt: Timestamp | null;
  /** True when the flow is deleted and still has open runs, which are ended in batches */
  hasRunsToEnd: Generated<boolean>;
  id: string;
  isOn: Generated<boolean>;
  name: string;
  publishedVersionId: string | null;
  updatedAt: Timestamp;
}

export interface FlowRun {
  /** The number of calls since the customer's last message to the run; a retried GET counts once */
  callsSinceReply: Generated<number>;
  /** The duration of those calls in milliseconds, including retries */
  callsSinceReplyMs: Generated<number>;
  /** The reason why the next advance cancels the run: a fact, as JSON text */
  cancelDetail: string | null;
  channelId: string;
  companyId: string;
  contactId: string | null;
  conversationId: string;
  createdAt: Timestamp;
  /** The reason of the end: a fact, as JSON text */
  endDetail: string | null;
  endedAt: Timestamp | null;
  endReason: string | null;
  /** The number of consecutive advances that failed by an error of the service */
  failureCount: Generated<number>;
  flowId: string;
  flowVersionId: string;
  /** True once the run has sent a message; only then is a reply that arrives during an advance stored for the run */
  hasSent: Generated<boolean>;
  id: string;
  /** The key of the hook request, or of the member's browser for a manual start, in separate namespaces */
  idempotencyKey: string | null;
  language: string | null;
  /** JSON text: the free times that a step offered last */
  offered: string | null;
  /** The number of consecutive temporary refusals of the present step by the provider */
  sendFailures: Generated<number>;
  status: string;
  /** The next step, or the one that waits */
  stepId: string | null;
  steps: Generated<number>;
  stepsSinceWait: Generated<number>;
  triggerKind: string;
  /** The customer's message that started the run; a message starts a flow once */
  triggerMessageId: string | null;
  /** JSON text: the values by name, each a string or null */
  variables: Generated<string>;
  waitingSince: Timestamp | null;
  /** The kind of the wait: for a reply of the customer, for a time, or for the outcome of a send whose response was lost (sent) */
  waitKind: string | null;
  waits: Generated<number>;
  /** The time when the wait times out */
  waitUntil: Timestamp | null;
  /** The number of consecutive messages that did not answer the present question */
  wrongAnswers: Generated<number>;
}

export interface FlowRunReply {
  companyId: string;
  consumedAt: Timestamp | null;
  messageId: string;
  receivedAt: Timestamp;
  runId: string;
}

export interface FlowRunStep {
  /** JSON text (contract/dashboard/run, RunCall), without credential, query, headers and body */
  call: string | null;
  /** The number of requests of a call, written before each is made; 0 without any */
  callAttempts: number | null;
  companyId: string;
  /** The outcome of the step: a fact, as JSON text */
  detail: string | null;
  endedAt: Timestamp | null;
  kind: string;
  messageId: string | null;
  number: number;
  runId: string;
  startedAt: Timestamp;
  status: string;
  stepId: string;
}

export interface FlowTrigger {
  channelId: string;
  companyId: string;
  flowId: string;
  flowVersionId: string;
  /** True when the flow may end a run that waits for a reply */
  interrupts: boolean;
  /** True when the message must contain nothing else */
  isExact: boolean;
  /** The key by kind: the first word of a keyword, a template, or empty */
  key: string;
  kind: string;
  /** The text that the message must contain, folded (rules/text/fold-text): a keyword, or the label of a button */
  phrase: string;
}

export interface FlowVersion {
  channelId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** JSON text (contract/flow-definition) */
  definition: string;
  flowId: string;
  id: string;
  number: number;
  publishedAt: Timestamp | null;
  triggerKind: string;
}

export interface Handover {
  closedAt: Timestamp | null;
  /** The member who closed it; null for the service and for a flow */
  closedBy: string | null;
  closedHow: string | null;
  companyId: string;
  conversationId: string;
  /** The cause of an automatic handover whose reason does not show it, such as model_unavailable */
  detail: string | null;
  id: string;
  openedAt: Timestamp;
  reason: string;
  /** A text for people by the assistant or the flow, at most 1,000 characters */
  reasonText: string | null;
  replyId: string | null;
  /** The run that handed over */
  runId: string | null;
}

export interface HookShape {
  answerStatus: string;
  /** JSON text of the last body, with long lists and strings cut; kept for 30 days */
  body: string;
  companyId: string;
  hookUrlId: string;
  receivedAt: Timestamp;
}

export interface HookUrl {
  companyId: string;
  createdAt: Timestamp;
  flowId: string;
  id: string;
  replacedAt: Timestamp | null;
  /** SHA-256 of the whole token, which is shown once and is not stored */
  tokenHash: Buffer;
  tokenLastFour: string;
}

export interface HookUrlCount {
  companyId: string;
  hookUrlId: string;
  requests: number;
  /** The clock minute in which requests are counted */
  windowStart: Timestamp;
}

export interface Identifier {
  /** The time when the identifier became former or left; null for a number that a member replaced, because a customer who writes from it is still the same one */
  changedAt: Timestamp | null;
  companyId: string;
  firstAt: Timestamp;
  identityId: string;
  /** The value that is compared: for a number its digits, in one form for each line */
  key: string;
  kind: string;
  /** shown when the provider has shown the value; otherwise the origin of a written value, which takes it from no other identity */
  proof: string;
  /** The WhatsApp Business account or channel in which an id of the kinds user and parent is valid. Ids of different scopes never contradict each other */
  scope: string | null;
  /** The time when the provider last showed the identifier, as far as it was recorded; an older provider event never takes it away */
  shownAt: Timestamp | null;
  /** current identifiers are shown and dialled. A former one was replaced by another of its kind, and still finds the identity. One that has left belongs to another identity or to none, and finds nothing */
  state: Generated<string>;
  /** The value as received, which is shown and dialled */
  value: string;
}

export interface Identity {
  /** The merged contact (contact_merge.from_id) to which the identity belonged before; null if it always belonged to this one */
  cameFrom: string | null;
  companyId: string;
  contactId: string;
  createdAt: Timestamp;
  id: string;
}

export interface IdentityChange {
  /** The time of the provider event */
  at: Timestamp;
  companyId: string;
  /** The contact concerned; no foreign key, because contacts are merged */
  contactId: string;
  /** The provider event that caused the change, and the identifier, identity or contact that it names */
  detail: Json;
  id: string;
  identityId: string | null;
  what: string;
}

export interface Invitation {
  accountId: string;
  createdAt: Timestamp;
  email: string;
  expiresAt: Timestamp;
  id: string;
  invitedBy: string | null;
  /** True when the link was only sent to the address by e-mail, so that the person who accepts it has that mailbox */
  isMailed: Generated<boolean>;
  role: string;
  tokenHash: Buffer;
}

export interface KnowledgeChunk {
  body: string;
  companyId: string;
  heading: string | null;
  id: string;
  position: number;
  revision: number;
  sourceId: string;
  terms: string;
}

export interface KnowledgeSource {
  attempt: Generated<number>;
  /** The number of searched chunks: 0 while the source is off */
  chunkCount: Generated<number>;
  claimId: string | null;
  companyId: string;
  /** The text that was last written, uploaded or fetched */
  content: Buffer | null;
  createdAt: Timestamp;
  /** The time when the source is read, or its page fetched again */
  dueAt: Timestamp | null;
  /** The reason why the source could not be read or fetched: a fact, as JSON text */
  error: string | null;
  fetchedAt: Timestamp | null;
  fileName: string | null;
  id: string;
  isOn: Generated<boolean>;
  kind: string;
  leaseExpiresAt: Timestamp | null;
  mediaType: string | null;
  revision: Generated<number>;
  /** The revision whose chunks are searched; a newer one is searched once it is complete */
  servedRevision: number | null;
  sha256: Buffer | null;
  state: string;
  title: string;
  updatedAt: Timestamp;
  url: string | null;
}

export interface KnowledgeTerm {
  /** The number of chunks that contain the term */
  chunks: number;
  companyId: string;
  /** The common root of the forms of one word */
  root: string;
  term: string;
}

export interface Lead {
  /** The time when the lead was won or lost */
  closedAt: Timestamp | null;
  companyId: string;
  /** The contact; null for a visitor of a widget, who is identified by the conversation */
  contactId: string | null;
  /** The last conversation that led to the lead; null if a member created it for a contact */
  conversationId: string | null;
  createdAt: Timestamp;
  id: string;
  /** The cause: a member, or a merge with a contact that has a lead */
  lostHow: string | null;
  /** The reason that the member gave */
  lostReason: string | null;
  ownerId: string | null;
  /** The time of the last qualification; null again after reopening */
  qualifiedAt: Timestamp | null;
  /** A whole number that people or flows set; it is never computed */
  score: number | null;
  source: string;
  status: string;
  summary: string | null;
  temperature: string | null;
  updatedAt: Timestamp;
}

export interface LiveChange {
  changedAt: Generated<Timestamp>;
  companyId: string;
  entity: string;
  id: string;
  /** The transaction of the change; changes below the oldest open transaction are complete */
  xid: number;
}

export interface LiveWatch {
  companyId: string;
  /** The first transaction whose changes are recorded */
  sinceXid: Generated<number>;
  watchedUntil: Timestamp;
}

export interface MarketingStop {
  at: Timestamp;
  channelId: string;
  companyId: string;
  contactId: string;
}

export interface Member {
  accountId: string;
  createdAt: Timestamp;
  id: string;
  personId: string;
  role: string;
}

export interface Message {
  /** The position in the order in which messages and entries were inserted, which orders those of the same time */
  arrival: Generated<number>;
  /** The number of the attempt for its send key, from 1: a retry after a temporary refusal is a separate message */
  attempt: number | null;
  /** The member who wrote the message */
  authorId: string | null;
  /** The broadcast of the last attempt for a recipient; null for earlier attempts */
  broadcastId: string | null;
  /** The status of a broadcast's message; null for other messages, which the index therefore leaves out */
  broadcastStatus: Generated<string | null>;
  buttonPayload: string | null;
  channelId: string;
  /** The claim (fencing token) of the process that sends the message; it names the node */
  claimId: string | null;
  companyId: string;
  conversationId: string;
  createdAt: Timestamp;
  /** The time when the author deleted the message at the provider */
  deletedAt: Timestamp | null;
  deliveredAt: Timestamp | null;
  direction: string;
  /** The time at which a queued message is sent, or a failed one is retried */
  dueAt: Timestamp | null;
  /** The texts before each edit, the oldest first, each with the time until which it was shown */
  earlierTexts: Generated<Json>;
  errorCode: string | null;
  /** The reason of a failure: a fact, as JSON text */
  errorDetail: string | null;
  failedAt: Timestamp | null;
  fileId: string | null;
  id: string;
  /** True for a message of a coexistence number's history, which raises no event */
  isImported: Generated<boolean>;
  /** The conversation in which the message was written, if that one was joined to this one */
  joinedFrom: string | null;
  leaseExpiresAt: Timestamp | null;
  /** The time at which the message was written, by the provider, or by this service for its own */
  occurredAt: Timestamp;
  /** JSON text: the content to send (channels, Outbound); it is kept until the message is sent or finally failed */
  outbound: string | null;
  /** The unverified address of the page on which an enquiry was written */
  page: string | null;
  /** The priority within a channel: 1 for staff, 2 for the assistant, 3 for flows and notices of appointments, 4 for broadcasts */
  priority: number | null;
  providerMessageId: string | null;
  /** The emoji with which the customer reacted to the message */
  reaction: string | null;
  readAt: Timestamp | null;
  /** The reply of the assistant to which the message belongs */
  replyId: string | null;
  replyToProviderId: string | null;
  /** The run that sent the message; null once the run is deleted (forget_run) */
  runId: string | null;
  sender: string;
  /** The key of a sent message by its sender: run and step number. It keeps a step of a run from writing two messages. It is compared by bytes, so that the messages of a run are a range */
  sendKey: string | null;
  sentAt: Timestamp | null;
  /** The time from which a visitor of a widget may read the message, by the clock of the database */
  shownAt: Timestamp | null;
  /** The status of a sent message: queued, sending, unknown, accepted, sent, delivered, read, failed or cancelled */
  status: string | null;
  /** The time at which a failed template message was written; null for other messages */
  templateFailedAt: Generated<Timestamp | null>;
  templateLanguage: string | null;
  templateName: string | null;
  text: string | null;
  /** The transcript of a voice note; for a location its description */
  transcript: string | null;
  type: string;
}

export interface Model {
  accountId: string;
  /** The base URL; null for that of the provider */
  baseUrl: string | null;
  /** The reason why the model is not called until a member corrects it: a fact, as JSON text */
  broken: string | null;
  brokenAt: Timestamp | null;
  contextTokens: number;
  createdAt: Timestamp;
  /** Encrypted: the API key; null if its server needs none */
  credential: string | null;
  id: string;
  isOn: Generated<boolean>;
  kind: string;
  /** The last four characters of a key of 12 characters or more */
  lastFour: string | null;
  modelName: string;
  position: number;
  /** True when the model may receive the photos of customers */
  readsImages: Generated<boolean>;
  /** True when the model reasoned in the test request although it was requested not to */
  reasonsAnyway: Generated<boolean>;
  revision: Generated<number>;
  /** True when the model may reason before it answers */
  thinking: Generated<string>;
  /** The member of a request by which its server answers without reasoning, as the test request found out; null to send none */
  thinkingSwitch: string | null;
  /** The name of the model with which its server transcribes voice notes; null for none */
  transcriptionModel: string | null;
  updatedAt: Timestamp;
}

export interface ModelDay {
  accountId: string;
  /** A UTC day */
  day: Timestamp;
  /** The number of requests whose response stated no tokens */
  estimated: Generated<number>;
  purpose: string;
  requests: Generated<number>;
  tokensIn: Generated<number>;
  tokensOut: Generated<number>;
}

export interface ModelWarning {
  accountId: string;
  /** A UTC day */
  day: Timestamp;
  percent: number;
}

export interface MovedLinkKey {
  accountId: string;
  createdAt: Timestamp;
  /** SHA-256 of the key, in hexadecimal */
  fingerprint: string;
  id: string;
  /** Encrypted */
  key: string;
}

export interface Notice {
  accountId: string;
  /** The claim (fencing token) of the process that sends its e-mail; it names the node */
  claimId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** JSON text: the values of the notice's sentences */
  details: string;
  id: string;
  /** endpoint_switched_off, endpoint_failing, mentioned, appointments_outside_hours, model_broken or model_allowance */
  kind: string;
  leaseExpiresAt: Timestamp | null;
  mailAttempts: Generated<number>;
  /** The Owners that the next attempt to send the e-mail leaves out, because the mail server accepted it for them or cannot deliver to them */
  mailDoneFor: Generated<string[]>;
  /** The time of the next attempt to send its e-mail, which is the end of the lease while it is being sent; null when no e-mail is sent any more */
  mailDueAt: Timestamp | null;
  mailedAt: Timestamp | null;
  /** The only recipient; null for all Owners and Admins */
  personId: string | null;
  readAt: Timestamp | null;
  /** The endpoint or note that the notice concerns; null for appointments and models */
  subjectId: string | null;
}

export interface NotSame {
  a: string;
  b: string;
  companyId: string;
  saidAt: Timestamp;
  saidBy: string | null;
}

export interface OfferedSlot {
  companyId: string;
  conversationId: string;
  /** The time when the slot was found; another search changes it only after the offer has expired */
  foundAt: Timestamp;
  serviceId: string;
  startsAt: Timestamp;
}

export interface Opening {
  companyId: string;
  /** The start in minutes of wall time from midnight of that day */
  fromMin: number;
  id: string;
  resourceId: string;
  /** The end, as from_min; above 1,440 it is on the next day, up to 36:00 */
  toMin: number;
  /** The weekday; 0 is Sunday */
  weekday: number;
}

export interface OpeningChange {
  companyId: string;
  createdAt: Timestamp;
  firstDay: Timestamp;
  fromMin: number | null;
  id: string;
  isClosed: boolean;
  lastDay: Timestamp;
  /** A name for members */
  name: string | null;
  /** The resource; null for all resources of the company */
  resourceId: string | null;
  toMin: number | null;
}

export interface OperatorSwitch {
  changedAt: Timestamp;
  isOn: boolean;
  /** sending_held or hooks_paused */
  name: string;
}

export interface OptOutChange {
  actorId: string | null;
  /** The time of the word or action */
  at: Timestamp;
  broadcastId: string | null;
  companyId: string;
  contactId: string;
  conversationId: string | null;
  createdAt: Timestamp;
  /** The cause: a word of the customer, a broadcast's link, a member, an imported row, or an opt-out that came from a merged or an erased contact */
  how: string;
  id: string;
  isOptedOut: boolean;
  /** The reason that the member gave for opting the contact in */
  reason: string | null;
}

export interface OptOutMemory {
  companyId: string;
  /** The opt_out_hash of an id */
  idHash: Buffer;
  /** The time of the word or action that opted the contact out */
  wordAt: Timestamp;
}

export interface PasswordReset {
  expiresAt: Timestamp;
  id: string;
  personId: string;
  tokenHash: Buffer;
}

export interface PendingSignIn {
  accountId: string;
  carrier: string;
  expiresAt: Timestamp;
  id: string;
  personId: string;
  tokenHash: Buffer;
  tries: Generated<number>;
}

export interface Person {
  createdAt: Timestamp;
  /** The digits that the dashboard uses in Arabic */
  digits: Generated<string>;
  email: string;
  id: string;
  /** True for the Owner of the demonstration account, who has no password, signs in by the link of a start, and does not count as having set up the service */
  isDemonstration: Generated<boolean>;
  /** The language of the dashboard and of e-mails to this person; null for the language that the browser prefers */
  language: string | null;
  name: string | null;
  /** argon2id; null until the person sets a password */
  passwordHash: string | null;
  /** The time zone of times in the dashboard: that of the browser, or UTC */
  timeShown: Generated<string>;
  /** The only account that trusts this address: the invitation was not sent to it by e-mail, so it may belong to another person. Null when the person has proved that the address is theirs */
  unverifiedInAccountId: string | null;
}

export interface ProfileLookup {
  attempt: Generated<number>;
  /** The claim (fencing token) of the process that looks the profile up; it names the node */
  claimId: string | null;
  companyId: string;
  conversationId: string;
  /** The time of the next lookup, which is the end of the lease during a lookup */
  dueAt: Timestamp;
  leaseExpiresAt: Timestamp | null;
}

export interface PromptPart {
  companyId: string;
  lastUsedAt: Timestamp;
  sha256: Buffer;
  text: string;
}

export interface RateLimitCounter {
  accountId: string;
  /** The beginning of the clock minute that is counted */
  minute: Timestamp;
  used: number;
  /** The counted action: tests_and_resends, connection_tests, invitations or model_tests */
  what: string;
}

export interface RecoveryCode {
  codeHash: Buffer;
  personId: string;
}

export interface Reminder {
  appointmentId: string;
  companyId: string;
  dueAt: Timestamp;
  flowId: string;
  /** The reason why the reminder was skipped: a fact, as JSON text */
  reason: string | null;
  runId: string | null;
  /** The state; stopping means that the appointment was cancelled and the started run has to end */
  state: string;
  /** The version of the appointment for which the reminder was planned */
  version: number;
}

export interface ReminderFlow {
  companyId: string;
  flowId: string;
  minutesBefore: number;
}

export interface ReplyFeedback {
  at: Timestamp;
  companyId: string;
  isGood: boolean;
  note: string | null;
  personId: string;
  replyId: string;
}

export interface ResendJob {
  /** The exclusive upper bound of the deliveries' ids, so that the job does not process its own */
  beforeId: string;
  companyId: string;
  createdAt: Timestamp;
  createdBy: string;
  /** The time when the next page is due; set exactly while the job runs */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  endpointId: string;
  /** JSON text: the filter of the deliveries */
  filter: string;
  id: string;
  isMatchedLeast: boolean;
  /** resend creates new deliveries; held releases held ones */
  kind: string;
  /** The number of deliveries that the job resent or released */
  made: Generated<number>;
  /** The number of deliveries that matched when the job was created; a lower bound if is_matched_least */
  matched: number;
  /** Maximum number of deliveries a second */
  pace: number;
  /** The number of skipped deliveries, whose body is no longer kept */
  passedOver: Generated<number>;
  /** The last delivery that was processed */
  position: string;
  /** The reason for a pause or cancellation: by_member, endpoint_off, endpoint_deleted or not_in_plan */
  reason: string | null;
  state: string;
  updatedAt: Timestamp;
}

export interface Resource {
  companyId: string;
  createdAt: Timestamp;
  /** The time of the deletion; the row stays for its appointments */
  deletedAt: Timestamp | null;
  id: string;
  /** False when the resource gets no new appointments; existing ones stay */
  isOn: Generated<boolean>;
  kind: string;
  name: string;
  nameAr: string | null;
  /** The member; null for a person who is no member, and for a room */
  personId: string | null;
  updatedAt: Timestamp;
  /** IANA name of the time zone of its hours; null for that of the booking page */
  zone: string | null;
}

export interface RunQueue {
  claimId: string | null;
  companyId: string;
  /** The time when the run is due: immediately if queued or answered, at the timeout if waiting */
  dueAt: Timestamp | null;
  /** The id of the run */
  id: string;
  /** True while the run is queued and has not begun */
  isNew: boolean;
  leaseExpiresAt: Timestamp | null;
}

export interface SecondFactor {
  /** The time of the first valid code; null while the set-up is unfinished and no code is required */
  confirmedAt: Timestamp | null;
  createdAt: Timestamp;
  id: string;
  personId: string;
  /** Encrypted: the base32 secret from which the codes are computed */
  secret: string;
  /** The number of the 30-second step, counted from 1970, of the newest used code; that code and earlier ones are refused */
  usedStep: number | null;
}

export interface Segment {
  companyId: string;
  createdAt: Timestamp;
  /** JSON text (contract/dashboard/segment, SegmentFilter); matching contacts are looked up at each use */
  filter: string;
  id: string;
  name: string;
  updatedAt: Timestamp;
}

export interface SendRate {
  /** The start times of the sends of the last second, by the clock of the database */
  begunAt: ArrayType<Timestamp>;
  channelId: string;
  /** The number of sends that the last statement began */
  granted: number;
  perSecond: number;
}

export interface Service {
  /** The minutes after an appointment during which its resources are occupied */
  afterMin: Generated<number>;
  /** The minutes before an appointment during which its resources are occupied */
  beforeMin: Generated<number>;
  companyId: string;
  createdAt: Timestamp;
  /** The time of the deletion; the row stays for its appointments */
  deletedAt: Timestamp | null;
  id: string;
  /** False when the service is not offered; members may still book it */
  isOn: Generated<boolean>;
  /** The duration of an appointment in elapsed minutes */
  minutes: number;
  name: string;
  /** The name in Arabic; null for name */
  nameAr: string | null;
  /** The minutes of wall time between two offered start times, from each opening on */
  stepMin: number;
  updatedAt: Timestamp;
}

export interface ServiceNeed {
  companyId: string;
  resourceId: string;
  /** The role of the resource: an appointment takes one resource of each role of its service */
  role: Generated<string>;
  serviceId: string;
}

export interface Session {
  /** The account in which the person works with this session */
  accountId: string;
  /** The transport of the token: a browser's cookie, or a program's Authorization header */
  carrier: string;
  createdAt: Timestamp;
  /** The time when the session ends, also if it is in use */
  expiresAt: Timestamp;
  id: string;
  /** The time of the last request, to the minute; idle sessions end by it */
  lastSeenAt: Timestamp;
  passwordEnteredAt: Timestamp;
  personId: string;
  /** SHA-256 of the token, which is 32 random bytes as text and is not stored */
  tokenHash: Buffer;
  userAgent: string | null;
}

export interface SetUp {
  closedAt: Timestamp | null;
  isOnly: Generated<boolean>;
  openedAt: Timestamp;
  /** The person who became the first Owner */
  personId: string | null;
  /** Random bytes from which the token is derived with an encryption key; a start a day after they were made replaces them */
  seed: string;
}

export interface SignInFailure {
  failedAt: Timestamp;
  id: string;
  /** SHA-256 of the e-mail address or network address whose failures are counted */
  throttleKey: Buffer;
}

export interface Site {
  accent: string | null;
  asksEmail: Generated<string>;
  /** The setting whether a visitor is asked for a name before the first message */
  asksName: Generated<string>;
  channelId: string;
  companyId: string;
  createdAt: Timestamp;
  greetingAr: string | null;
  greetingEn: string | null;
  /** The sites that may show it, as scheme, host and port, in the form of the Origin header */
  origins: Generated<string[]>;
  updatedAt: Timestamp;
}

export interface Synonym {
  companyId: string;
  means: string[];
  meanTerms: string[];
  term: string;
  word: string;
}

export interface Template {
  category: string;
  channelId: string;
  companyId: string;
  /** The provider's JSON of the template, as text */
  components: string;
  id: string;
  language: string;
  name: string;
  parameterFormat: string;
  providerTemplateId: string;
  status: string;
  syncedAt: Timestamp;
}

export interface TemplateDay {
  accountId: string;
  day: Timestamp;
  sent: number;
}

export interface TemplateSend {
  accountId: string;
  companyId: string;
  contactId: string | null;
  messageId: string;
  sentAt: Timestamp;
}

export interface TrustedDevice {
  expiresAt: Timestamp;
  id: string;
  knownSince: Timestamp;
  personId: string;
  /** SHA-256 of the token, which is 32 random bytes as text and is only in the browser's cookie */
  tokenHash: Buffer;
}

export interface Visitor {
  channelId: string;
  companyId: string;
  createdAt: Timestamp;
  id: string;
  /** The last visit, to the day; visitors who were away for long are deleted */
  seenAt: Timestamp;
  /** SHA-256 of the visitor's token, which is valid for this widget only */
  tokenHash: Buffer;
  tokenMadeAt: Timestamp;
}

export interface VisitorTicket {
  expiresAt: Timestamp;
  hash: Buffer;
  visitorId: string;
}

export interface WebhookDelivery {
  apiVersion: string;
  attempts: Generated<number>;
  /** The event_body that is sent: that of the event, or the copy for a resend */
  bodyId: string;
  companyId: string;
  createdAt: Timestamp;
  endedAt: Timestamp | null;
  endpointId: string;
  eventId: string;
  /** A UUID that begins with the first half of the event's id, except for a resend; deliveries_of finds the deliveries of an event by it */
  id: string;
  /** The job that resent or released the delivery */
  jobId: string | null;
  kind: string;
  /** The reason code of the last failure; null after a success */
  lastError: string | null;
  /** The duration of the last attempt in milliseconds; null before the first */
  lastMs: number | null;
  /** The HTTP status of the last attempt; null without a response */
  lastStatus: number | null;
  /** The state; null for deliveries that were delivered, or that wait and have not failed yet */
  oddState: Generated<string | null>;
  /** The last status; null for 200 to 299 */
  oddStatus: Generated<number | null>;
  /** The delivery that this one resends */
  resendOf: string | null;
  /** The duration of the last attempt in milliseconds if it was slow; else null */
  slowMs: Generated<number | null>;
  state: string;
}

export interface DB {
  account: Account;
  actionDay: ActionDay;
  actionProposal: ActionProposal;
  actionReply: ActionReply;
  aiAction: AiAction;
  apiConnection: ApiConnection;
  appointment: Appointment;
  appointmentBusy: AppointmentBusy;
  appointmentEntry: AppointmentEntry;
  appointmentLink: AppointmentLink;
  appointmentNotice: AppointmentNotice;
  assistant: Assistant;
  assistantReply: AssistantReply;
  assistantStep: AssistantStep;
  audit: Audit;
  bookingPage: BookingPage;
  broadcast: Broadcast;
  broadcastRecipient: BroadcastRecipient;
  calendarLink: CalendarLink;
  callDay: CallDay;
  callLog: CallLog;
  cannedReply: CannedReply;
  channel: Channel;
  channelPoll: ChannelPoll;
  channelState: ChannelState;
  channelThrottle: ChannelThrottle;
  closeJob: CloseJob;
  company: Company;
  companyHookCount: CompanyHookCount;
  contact: Contact;
  contactField: ContactField;
  contactImport: ContactImport;
  contactImportFile: ContactImportFile;
  contactImportRow: ContactImportRow;
  contactMerge: ContactMerge;
  contactTag: ContactTag;
  contactTagJob: ContactTagJob;
  conversation: Conversation;
  conversationEntry: ConversationEntry;
  conversationJoin: ConversationJoin;
  deliveryAttempt: DeliveryAttempt;
  deliveryHour: DeliveryHour;
  deliveryQueue: DeliveryQueue;
  endpoint: Endpoint;
  endpointHealth: EndpointHealth;
  endpointSecret: EndpointSecret;
  event: Event;
  eventBody: EventBody;
  file: File;
  fileUpload: FileUpload;
  flow: Flow;
  flowRun: FlowRun;
  flowRunReply: FlowRunReply;
  flowRunStep: FlowRunStep;
  flowTrigger: FlowTrigger;
  flowVersion: FlowVersion;
  handover: Handover;
  hookShape: HookShape;
  hookUrl: HookUrl;
  hookUrlCount: HookUrlCount;
  identifier: Identifier;
  identity: Identity;
  identityChange: IdentityChange;
  invitation: Invitation;
  knowledgeChunk: KnowledgeChunk;
  knowledgeSource: KnowledgeSource;
  knowledgeTerm: KnowledgeTerm;
  lead: Lead;
  liveChange: LiveChange;
  liveWatch: LiveWatch;
  marketingStop: MarketingStop;
  member: Member;
  message: Message;
  model: Model;
  modelDay: ModelDay;
  modelWarning: ModelWarning;
  movedLinkKey: MovedLinkKey;
  notice: Notice;
  notSame: NotSame;
  offeredSlot: OfferedSlot;
  opening: Opening;
  openingChange: OpeningChange;
  operatorSwitch: OperatorSwitch;
  optOutChange: OptOutChange;
  optOutMemory: OptOutMemory;
  passwordReset: PasswordReset;
  pendingSignIn: PendingSignIn;
  person: Person;
  profileLookup: ProfileLookup;
  promptPart: PromptPart;
  rateLimitCounter: RateLimitCounter;
  recoveryCode: RecoveryCode;
  reminder: Reminder;
  reminderFlow: ReminderFlow;
  replyFeedback: ReplyFeedback;
  resendJob: ResendJob;
  resource: Resource;
  runQueue: RunQueue;
  secondFactor: SecondFactor;
  segment: Segment;
  sendRate: SendRate;
  service: Service;
  serviceNeed: ServiceNeed;
  session: Session;
  setUp: SetUp;
  signInFailure: SignInFailure;
  site: Site;
  synonym: Synonym;
  template: Template;
  templateDay: TemplateDay;
  templateSend: TemplateSend;
  trustedDevice: TrustedDevice;
  visitor: Visitor;
  visitorTicket: VisitorTicket;
  webhookDelivery: WebhookDelivery;
}
