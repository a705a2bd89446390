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
  /** When the deletion of what a moved account left behind began: it cannot be taken back afterwards */
  deletionBeganAt: Timestamp | null;
  /** Why nothing is accepted, sent or done for the account: it is being exported (leaving), works in another installation (moved), or was imported and not released yet (arrived). Null while it works */
  hold: string | null;
  /** When the hold began */
  holdSince: Timestamp | null;
  id: string;
  /** The daily limit of tokens for language models that the Owner set; null: the operator's limit */
  modelTokensPerDay: number | null;
  name: string | null;
  /** Members without a second factor may only set one up */
  needsSecondFactor: Generated<boolean>;
  /** Shared by the account and its projects */
  plan: string;
  /** The operator's number of automated templates a day; null: the plan's */
  templatesPerDay: number | null;
}

export interface ActionDay {
  calls: number;
  companyId: string;
  /** The contact's id; without a contact the conversation's */
  customer: string;
  /** UTC */
  day: Timestamp;
}

export interface ActionProposal {
  actionId: string | null;
  /** That is to be cancelled; null where an action is to be called */
  appointmentId: string | null;
  /** JSON text: what the customer is told, and nothing else is called */
  arguments: string;
  companyId: string;
  confirmationCount: Generated<number>;
  /** The message that states it, the last one where it was stated again */
  confirmationMessageId: string | null;
  /** When the provider took that message: an agreement comes after it */
  confirmationSentAt: Timestamp | null;
  /** The reply at whose start the customer's agreement was taken */
  confirmedBy: string | null;
  conversationId: string;
  createdAt: Timestamp;
  /** The reply of the assistant that has its statement as its last part */
  draftedBy: string;
  endedAt: Timestamp | null;
  id: string;
  /** The customer's value at that time, when the action is about the customer */
  identity: string | null;
  /** The revision of the action, or the version of the appointment, that the proposal states */
  revision: number;
  startedAt: Timestamp | null;
  /** drafted until the provider took the message that states it, then proposed; started before the call goes out: one that stays so was cut off, and is never called again */
  state: string;
  withdrawnBecause: string | null;
}

export interface ActionReply {
  calls: number;
  companyId: string;
  replyId: string;
  startedAt: Timestamp;
  /** How long its calls took together */
  usedMs: Generated<number>;
}

export interface AiAction {
  companyId: string;
  /** The same as in the request of the definition */
  connectionId: string;
  createdAt: Timestamp;
  /** JSON text: contract/ai-action */
  definition: string;
  id: string;
  isOn: boolean;
  needsConfirmation: boolean;
  /** Counts the changes; a proposal is good for the action as it was stated only */
  revision: Generated<number>;
  toolName: string;
  updatedAt: Timestamp;
}

export interface ApiConnection {
  authKind: string;
  /** The header or query parameter that carries the key */
  authName: string | null;
  baseUrl: string;
  companyId: string;
  createdAt: Timestamp;
  /** Encrypted JSON text: a token, or a user name and a password; wiped when deleted */
  credential: string | null;
  /** Shown to members; null for a credential under 12 characters */
  credentialLastFour: string | null;
  deletedAt: Timestamp | null;
  /** JSON text: name and value, sent with every call */
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
  /** As it was given with the booking */
  customerName: string | null;
  email: string | null;
  endsAt: Timestamp;
  id: string;
  language: string | null;
  /** Wall time of the start there when it was booked, YYYY-MM-DDTHH:MM: where other zone data tell another, people are asked */
  localStart: string;
  /** E.164; only when it was given with its country */
  phone: string | null;
  /** A number without its country, as it was given */
  rawPhone: string | null;
  /** What people call it by: short, without letters that look alike */
  reference: string;
  /** One request books once, however often it comes */
  requestKey: string;
  serviceId: string;
  /** As it was called when it was booked */
  serviceName: string;
  serviceNameAr: string | null;
  source: string;
  startsAt: Timestamp;
  status: Generated<string>;
  updatedAt: Timestamp;
  /** Grows with each move and cancellation; SEQUENCE in calendars */
  version: Generated<number>;
  /** IANA name: wall time of the appointment is told in it */
  zone: string;
}

export interface AppointmentBusy {
  appointmentId: string;
  busy: string;
  companyId: string;
  /** Its appointment was cancelled: others may have the time */
  isFree: Generated<boolean>;
  resourceId: string;
}

export interface AppointmentEntry {
  /** The member's person id, or the id of the flow's run */
  actorId: string | null;
  actorKind: string;
  appointmentId: string;
  at: Timestamp;
  companyId: string;
  /** What belongs to its kind, made by the service */
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
  /** Who made the change: notices of changes that customers make on a page are limited for each recipient and company */
  actorKind: string;
  appointmentId: string;
  companyId: string;
  createdAt: Timestamp;
  /** While pending: when it is told. While mailing: when its lease ends */
  dueAt: Timestamp | null;
  id: string;
  kind: string;
  mailAttempts: Generated<number>;
  /** The message that tells it; null of an e-mail */
  messageId: string | null;
  /** Why it was not told: a fact, as JSON text */
  reason: string | null;
  /** SHA-256 of the company and the number or e-mail address that is told */
  recipientHash: Buffer | null;
  settledAt: Timestamp | null;
  /** queued: a message of the outbox. mailing: an e-mail is being handed over; after its lease it is unknown, and not sent again */
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
  /** In which customers are answered whose words, conversation and contact tell no language */
  language: Generated<string>;
  leadCriteria: Generated<string>;
  /** By which it calls itself; null: the company's assistant */
  name: string | null;
  profile: Generated<string>;
  qualifyAt: Generated<number>;
  /** Keys of the fields of contacts that the model may see */
  readableFields: Generated<string[]>;
  /** Photos are shown to the models that read them */
  readsImages: Generated<boolean>;
  revision: Generated<number>;
  /** Tags that it may give */
  tags: Generated<string[]>;
  /** JSON text: the company's own sentences of a handover, by language; without one ours */
  texts: Generated<string>;
  tone: Generated<string>;
  /** Voice notes are transcribed, where a model can */
  transcribes: Generated<boolean>;
  updatedAt: Timestamp;
}

export interface AssistantReply {
  /** The newest message of the customer that the model was told of */
  answeredMessageId: string | null;
  /** The data that models require back while this reply uses tools, by the steps that requested them, encrypted. A change of keys does not encrypt it again: it is null once the reply is decided */
  carried: string | null;
  claimId: string | null;
  companyId: string;
  /** Its last part is under way, and states nothing: once the provider has taken it there is nothing more to do */
  completesOnAccept: Generated<boolean>;
  conversationId: string;
  debounceMaxAt: Timestamp | null;
  debounceUntil: Timestamp | null;
  detail: string | null;
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  /** A fact, as JSON text */
  endReason: string | null;
  /** Grows when a further message restarts the reply: a result of an earlier epoch changes nothing */
  epoch: Generated<number>;
  /** Turns in a row that could not be taken */
  failureCount: Generated<number>;
  firstMessageId: string;
  /** A tool has done something that cannot be undone: the reply is not restarted */
  hasEffect: Generated<boolean>;
  /** Until when the messages are that the model was told of */
  heardAt: Timestamp | null;
  id: string;
  /** The newest message of the customer that it was given */
  lastMessageId: string;
  leaseExpiresAt: Timestamp | null;
  modelRequests: Generated<number>;
  notedAt: Timestamp;
  /** JSON text: what is said, in its parts */
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
  /** JSON text: what belongs to its kind, such as chunks with their scores */
  data: string | null;
  endedAt: Timestamp | null;
  epoch: number;
  failure: string | null;
  /** JSON text: of a tool its arguments, of a model the hashes of its prompt's parts */
  input: string | null;
  kind: string;
  name: string | null;
  number: number;
  replyId: string;
  /** What the model was told, or answered */
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
  /** JSON text; never a secret, token or credential */
  detail: string | null;
  id: string;
  subjectId: string;
  subjectKind: string;
}

export interface BookingPage {
  /** Where to come; shown with an appointment */
  address: string | null;
  addressAr: string | null;
  /** #rrggbb behind the page */
  background: string | null;
  /** Until how many minutes before the start the customer's link cancels */
  cancelUntilMin: number;
  /** #rrggbb of buttons and marks; the text on it is chosen by the page */
  colour: string | null;
  companyId: string;
  intro: string | null;
  introAr: string | null;
  isOn: Generated<boolean>;
  /** How many days ahead customers may book */
  maxDays: number;
  /** Elapsed minutes between a booking and its start, at the least */
  minNoticeMin: number;
  /** The shop's name as customers know it; null: the company's name */
  name: string | null;
  nameAr: string | null;
  /** On which customers are told by a template who cannot be told in a conversation */
  noticeChannelId: string | null;
  /** The name of that template; null: they are not told by one */
  noticeTemplate: string | null;
  /** The phone number that the page shows with an appointment */
  phone: string | null;
  /** The last part of the public page's address, /b/{slug}; unique among all companies */
  slug: string | null;
  updatedAt: Timestamp;
  /** IANA name: days and hours are told in it; null: the company's */
  zone: string | null;
}

export interface Broadcast {
  /** JSON text: contract/dashboard/broadcast, Audience: whom it is for, as it was asked for */
  audience: string;
  /** JSON text: the category of each approved version of the template by language, as a member last let it go; null for a draft */
  categories: string | null;
  channelId: string;
  companyId: string;
  countedAt: Timestamp | null;
  /** Recipients by what became of them, as its worker counted them last */
  counts: Generated<Json>;
  createdAt: Timestamp;
  createdBy: string | null;
  /** When its worker goes on with it; while it is paused and after the end: when it is counted again */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  /** All recipients up to this number have been handed over or skipped */
  enqueuedTo: Generated<number>;
  /** JSON text: who fitted the audience when preparing began; later changes of a segment change nothing */
  filter: string | null;
  id: string;
  name: string;
  /** Messages a second as its worker last sent: its share of the number */
  pace: number | null;
  /** Messages a second; the broadcasts of one number that send at one time share it */
  perSecond: number;
  /** While preparing: the last contact that was looked at */
  position: string | null;
  /** When all recipients were written down */
  preparedAt: Timestamp | null;
  /** Why it is paused: a fact, as JSON text; null where a member did it */
  reason: string | null;
  /** When it was started or let go on: what failed before is no reason to pause it again */
  resumedAt: Timestamp | null;
  /** When it is to begin, where it was scheduled */
  sendAt: Timestamp | null;
  startedAt: Timestamp | null;
  state: string;
  /** JSON text: contract/dashboard/broadcast, BroadcastTemplate; values with placeholders */
  template: string;
  /** Recipients */
  total: Generated<number>;
  updatedAt: Timestamp;
}

export interface BroadcastRecipient {
  broadcastId: string;
  companyId: string;
  /** Null where the contact has become part of another one that is a recipient too; whoever merges contacts moves it */
  contactId: string | null;
  /** The last try; null while it waits, and of who is skipped */
  messageId: string | null;
  /** From 1, in the order of the contacts' ids: they are written to in this order */
  number: number;
  skipReason: string | null;
  /** More of why it is skipped: a fact, as JSON text */
  why: string | null;
}

export interface CalendarLink {
  companyId: string;
  createdAt: Timestamp;
  id: string;
  personId: string;
  /** Null: the appointments of all */
  resourceId: string | null;
  tokenHash: Buffer;
}

export interface CallDay {
  accountId: string;
  /** UTC */
  day: Timestamp;
  /** Attempts over the account and its projects, repeats and tests too */
  made: number;
}

export interface CallLog {
  actionId: string | null;
  companyId: string;
  connectionId: string;
  conversationId: string | null;
  durationMs: number;
  /** Why it failed, in a word of CALL_FAILURES; null for a success */
  error: string | null;
  host: string;
  id: string;
  isRepeat: boolean;
  method: string;
  /** Of the base URL and the request together, once filled in */
  path: string;
  /** The member who tested */
  personId: string | null;
  runId: string | null;
  source: string;
  startedAt: Timestamp;
  /** Of the answer, also when it was not read whole */
  status: number | null;
  stepId: string | null;
}

export interface CannedReply {
  companyId: string;
  createdAt: Timestamp;
  /** The member who made it; null once they are gone */
  createdBy: string | null;
  id: string;
  language: string | null;
  shortcut: string;
  text: string;
  updatedAt: Timestamp;
}

export interface Channel {
  /** Of the process that reads its templates; names its node */
  claimId: string | null;
  companyId: string;
  /** ISO 3166-1 alpha-2, of the number */
  country: string | null;
  createdAt: Timestamp;
  /** Encrypted JSON, bound to this row */
  credentials: string;
  /** Its credentials are wiped then; the row stays for what was said on it */
  deletedAt: Timestamp | null;
  /** Why it is not connected: a fact, as JSON text */
  disconnectedReason: string | null;
  /** Digits without + */
  displayNumber: string | null;
  /** The owner does not share it */
  historyDeclined: Generated<boolean>;
  /** Of all of it, as the provider tells */
  historyPercent: number | null;
  /** 0: the last day, 1: to 90 days, 2: to 180 days; null: none has come */
  historyPhase: number | null;
  /** When the provider last told of it */
  historyReportedAt: Timestamp | null;
  id: string;
  /** The owner uses the number in the provider's own app too: known by what the app wrote. It may send less in a second */
  isCoexistence: Generated<boolean>;
  isConnected: boolean;
  isSimulated: Generated<boolean>;
  leaseExpiresAt: Timestamp | null;
  name: string | null;
  /** What keeps its provider's news from coming although it is connected: a fact, as JSON text */
  problem: string | null;
  /** WhatsApp Business account id */
  providerAccount: string | null;
  /** What the provider names the channel by in its webhooks: phone number id, page id, bot id */
  providerRoute: string;
  /** When a member accepted what the provider does to those who connect it in a way that it does not offer; null where it does */
  riskAcceptedAt: Timestamp | null;
  riskAcceptedBy: string | null;
  /** JSON text: the open fields of its form that say how it works here, by name */
  settings: Generated<string>;
  /** Hours that the owner's reply from the provider's app keeps flows and assistant out of a conversation */
  takeOverHours: Generated<number>;
  /** When the provider's list of templates is read next; while it is read, the end of the lease; null: only when a member asks */
  templatesDueAt: Timestamp | null;
  type: string;
  updatedAt: Timestamp;
  /** SHA-256 of the secret of ours that the provider shows; null without one, and when deleted */
  verifyTokenHash: Buffer | null;
}

export interface ChannelPoll {
  channelId: string;
  /** Of the process that asks; names its node */
  claimId: string | null;
  /** When the provider is asked next */
  dueAt: Timestamp;
  /** Rounds in a row in which nothing came of it */
  failureCount: Generated<number>;
  leaseExpiresAt: Timestamp | null;
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
  /** The message under way */
  messageId: string | null;
  /** No send begins before; while one is under way, when it is given up for lost */
  nextAt: Timestamp;
  /** When the last sends ended, the oldest first, at most as many as an hour allows */
  recent: Generated<ArrayType<Timestamp>>;
}

export interface CloseJob {
  accountId: string;
  /** A conversation with a message of that time or later is left open */
  before: Timestamp;
  closed: Generated<number>;
  companyId: string;
  createdAt: Timestamp;
  /** When its next page may be taken */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  filter: Json;
  id: string;
  lookedAt: Generated<number>;
  /** The last conversation that it looked at */
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
  /** JSON text: ranges by weekday, in minutes from midnight (rules/flows/opening-hours); null: not told, open at any time */
  openingHours: string | null;
  /** Goes into the hashes of opt_out_memory; null until a contact who was opted out is erased */
  optOutSalt: string | null;
  /** IANA name: opening hours, and the days that flows speak of */
  timeZone: Generated<string>;
}

export interface CompanyHookCount {
  companyId: string;
  requests: number;
  /** The clock hour that requests are counted in */
  windowStart: Timestamp;
}

export interface Contact {
  companyId: string;
  createdAt: Timestamp;
  email: string | null;
  /** Who gave the e-mail address: a source of contacts; null where there is none, or nobody knows */
  emailFrom: string | null;
  /** Values of custom fields by key, as texts; those of archived fields too, which no event shows */
  fields: Generated<Record<string, string>>;
  id: string;
  language: string | null;
  name: string | null;
  /** Set exactly while opted out */
  optedOutAt: Timestamp | null;
  /** Own time of the newest word or act that opted out or in, whether or not it changed anything; an older one that comes later changes nothing */
  optOutWordAt: Timestamp | null;
  /** How that word or act was said */
  optOutWordHow: string | null;
  /** E.164; null when unknown or without a country code */
  phone: string | null;
  /** A number without its country, as it was written: shown to members, matched to nobody, in no event */
  rawPhone: string | null;
  /** The name as it is searched: folded, in ASCII letters (rules/text/search-form) */
  searchName: string | null;
  /** What made it: a message on a channel, a hook, a member, an import, a booking on the public page, an enquiry from a website */
  source: Generated<string>;
  tags: Generated<string[]>;
  updatedAt: Timestamp;
  /** The business-scoped or @lid id; null when only a number is known */
  whatsappId: string | null;
}

export interface ContactField {
  /** Its values stay and are shown and told nowhere until it is brought back */
  archivedAt: Timestamp | null;
  /** Of kind choice: the values that it may have */
  choices: Generated<string[]>;
  companyId: string;
  createdAt: Timestamp;
  id: string;
  /** Never changed: values are kept and told under it */
  key: string;
  kind: string;
  label: string;
  updatedAt: Timestamp;
}

export interface ContactImport {
  /** JSON text: which header is what of a contact */
  columns: string | null;
  /** Rows that were combined with an earlier row of the same contact */
  combined: Generated<number>;
  companyId: string;
  /** ISO 3166-1 alpha-2: of numbers that come without their country */
  country: string | null;
  created: Generated<number>;
  createdAt: Timestamp;
  createdBy: string | null;
  delimiter: string;
  dueAt: Timestamp | null;
  /** Of a CSV file as it was uploaded; null of a workbook */
  encoding: string | null;
  endedAt: Timestamp | null;
  /** Where the row after the header begins */
  firstByte: number;
  /** The first row of the file */
  headers: string[];
  id: string;
  leftOut: Generated<number>;
  mode: string | null;
  name: string;
  /** Where the next page begins in the file; moved in the transaction that writes the page */
  nextByte: number;
  /** The number of the row that is read, decided or brought in next; the header is row 1 */
  nextRow: Generated<number>;
  /** Why it failed: a fact, as JSON text */
  reason: string | null;
  /** Rows below the header, once all have been read */
  rowsFound: number | null;
  /** JSON text: the cells of the first rows */
  sample: Generated<string>;
  /** Bytes of the file in UTF-8 */
  size: number;
  state: string;
  unchanged: Generated<number>;
  updated: Generated<number>;
}

export interface ContactImportFile {
  /** CSV in UTF-8 */
  bytes: Buffer;
  importId: string;
  /** The file as it was uploaded, where that is no UTF-8; null of a workbook, whose rows are kept as CSV */
  original: Buffer | null;
}

export interface ContactImportRow {
  /** JSON text: the values; of the first row of a contact those of all its rows, once they are combined */
  cells: string | null;
  /** The contact that the row leads to */
  contactId: string | null;
  /** In lower case */
  email: string | null;
  /** The contact of this row has its e-mail address once the row is brought in, and did not before */
  givesEmail: Generated<boolean>;
  importId: string;
  /** The earlier row of the same contact */
  intoRow: number | null;
  /** No cell has a fault */
  isReadable: boolean;
  /** Rows with one key are of one contact */
  key: string | null;
  /** JSON text: what a member should know of the row */
  notes: string | null;
  /** Digits of the phone, or of a phone without its country */
  number: string | null;
  outcome: string | null;
  row: number;
}

export interface ContactMerge {
  companyId: string;
  fromId: string;
  /** Values, fields and tags that the contact that stayed had not, and was given by this merge */
  given: Generated<Json>;
  intoId: string;
  mergedAt: Timestamp;
  /** Null where the provider has shown that both are one account */
  mergedBy: string | null;
  /** By table the ids of the rows that were the merged contact's; leads: the status that the merge took from them */
  moved: Generated<Json>;
  /** JSON text: the contact as it was */
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
  /** What the tag is called from now on; null: it is taken off */
  newTag: string | null;
  state: string;
  tag: string;
}

export interface Conversation {
  /** When conversation.started was raised, or history told of a message of the customer; null while only the business has written */
  announcedAt: Timestamp | null;
  assigneeId: string | null;
  /** The customer lets nobody write here since then, as the provider tells; what is sent is refused by it */
  blockedSince: Timestamp | null;
  channelId: string;
  channelType: string;
  /** When the window for replies closes, where staff is needed: other customers' messages write no index */
  closesAt: Generated<Timestamp | null>;
  companyId: string;
  /** The identity's contact, which the reference to the identity holds too; null for a web widget visitor */
  contactId: string | null;
  createdAt: Timestamp;
  /** The id of the customer that was known when it began: digits without +, a business-scoped id, an @lid id, a provider id; never changed */
  filedUnder: string;
  handledBy: Generated<string>;
  id: string;
  /** Whom it is with; null for a web widget visitor */
  identityId: string | null;
  /** Of the customer's last messages, as the assistant read it: ar or en */
  language: string | null;
  /** The person who wrote what was said last; null where no member did */
  lastAuthorId: string | null;
  lastCustomerAt: Timestamp | null;
  lastMessageAt: Timestamp | null;
  /** As message.sender */
  lastSender: string | null;
  /** The first 200 characters of the last message */
  lastText: string | null;
  /** The minute of the last message, or of the beginning: messages of one minute write no index */
  latestMinute: Generated<Timestamp>;
  /** Somebody of the staff is to look at it, whoever handles it */
  needsStaff: Generated<boolean>;
  resolvedAt: Timestamp | null;
  /** Who resolved it last; null for the service and for a flow */
  resolvedBy: string | null;
  /** When the window for replies closes that the customer's last message opened; null when they never wrote, and on channels without a window */
  serviceWindowEndsAt: Timestamp | null;
  /** One mark for the team: messages of the customer after it are unread */
  staffSeenAt: Timestamp | null;
  status: Generated<string>;
  /** When staff last took it over: a run that a member starts after that goes on beside staff */
  takenOverAt: Timestamp | null;
  /** While handled_by is staff by the owner's replies from the provider's app: when it is given back by itself; null: a person has it until they give it back */
  takenOverUntil: Timestamp | null;
  /** Grows with each message of the customer and each change of hands: what was decided at an older one is out of date */
  turn: Generated<number>;
  /** As a visitor of a widget has written it */
  visitorEmail: string | null;
  /** As a visitor of a widget has called themselves; kept here, for they are no contact */
  visitorName: string | null;
  /** The oldest message for staff that nobody has answered; null when none waits */
  waitingSince: Timestamp | null;
}

export interface ConversationEntry {
  /** The member's person id, or the id of the flow's run */
  actorId: string | null;
  actorKind: string;
  /** Its place in the order in which messages and entries were written: decides between those of one time */
  arrival: Generated<number>;
  at: Timestamp;
  companyId: string;
  conversationId: string;
  /** What belongs to its kind, made by the service */
  data: Generated<Json>;
  editedAt: Timestamp | null;
  id: string;
  /** The conversation in which it was done, where that was joined to this one */
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
  /** The first 2,048 bytes of the answer, as they came */
  answerHead: Buffer | null;
  answerHeaders: Buffer | null;
  /** There was, or may have been, more of the body than answer_head; null without an answer */
  answerIsCut: boolean | null;
  answerMs: number | null;
  companyId: string;
  connectMs: number | null;
  deliveryId: string;
  dnsMs: number | null;
  durationMs: number;
  endpointId: string;
  error: string | null;
  errorDetail: string | null;
  /** There were more headers than answer_headers; null without an answer */
  headersAreCut: boolean | null;
  httpStatus: number | null;
  id: string;
  /** Finished after its lease had gone to another worker: logged, counted for nothing */
  isLate: Generated<boolean>;
  /** 1 to 8 within its delivery */
  number: number;
  remoteAddress: string | null;
  /** Last four characters of each secret that signed */
  signedWith: string[];
  startedAt: Timestamp;
  url: string;
}

export interface DeliveryHour {
  attempts: Generated<number>;
  companyId: string;
  /** Of all these attempts together */
  durationMs: Generated<number>;
  endpointId: string;
  failures: Generated<number>;
  hour: Timestamp;
}

export interface DeliveryQueue {
  claimId: string | null;
  companyId: string;
  /** When the next attempt may start; null exactly while held */
  dueAt: Timestamp | null;
  endpointId: string;
  /** The delivery's */
  id: string;
  kind: string;
  leaseExpiresAt: Timestamp | null;
  /** Where what is due waits: first attempts of events, retries and resends (retry), or tests. later: not due, or not seen to be due yet. held: waits for its endpoint or its plan */
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
  /** Failed attempts since the last success, tests left out */
  failuresInRow: Generated<number>;
  lastFailureAt: Timestamp | null;
  lastSuccessAt: Timestamp | null;
  /** Attempts that may be in flight at once: 1 while it fails, back to 8 by successes */
  slots: Generated<number>;
  /** When the owner was warned of the present row of failures */
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
  /** Null for the current secret; the end of the overlap for the one before it */
  signsUntil: Timestamp | null;
}

export interface Event {
  companyId: string;
  contactId: string | null;
  conversationId: string | null;
  /** UUIDv7; a merchant sees evt_ and its 32 hex characters */
  id: string;
  isTest: Generated<boolean>;
  occurredAt: Timestamp;
  runId: string | null;
  type: string;
}

export interface EventBody {
  apiVersion: string;
  /** The exact bytes of the envelope, frozen when the event was written; shared by endpoints and retries */
  body: Buffer;
  /** The event's id; of a resend the delivery's id, so that its copy is kept as long as the resend */
  id: string;
}

export interface File {
  /** Of fetching it, or of deleting it, from 1 */
  attempt: Generated<number>;
  /** Where the provider has it that a customer sent */
  channelId: string | null;
  /** Of the process that has it in hand; names its node */
  claimId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** When it is fetched next, or deleted: at once where it was dropped, a day after the upload where no message took it along */
  dueAt: Timestamp | null;
  id: string;
  leaseExpiresAt: Timestamp | null;
  /** A fact, as JSON text */
  lostReason: string | null;
  /** Known by its bytes, whatever anybody called it */
  mediaType: string | null;
  /** As whoever sent it called it, made harmless; null where they did not */
  name: string | null;
  /** JSON text: channels, MediaRef; until it is kept or lost */
  providerMedia: string | null;
  /** received: a customer sent it; message: a member uploaded it to send it once; flow: to be sent by flows, kept until a member deletes it */
  purpose: string;
  sha256: Buffer | null;
  /** Bytes; of an upload under way what was announced */
  size: number | null;
  /** awaited: its bytes are on their way; kept; lost: they never came, and lost_reason says why; dropped: they are to be deleted, and the row after them */
  state: string;
  uploadedBy: string | null;
  /** Who uploaded it in a widget: kept at once, and dropped where no message takes it along */
  visitorId: string | null;
}

export interface FileUpload {
  channelId: string;
  fileId: string;
  /** Until when the provider surely has it */
  knownUntil: Timestamp;
  providerMediaId: string;
}

export interface Flow {
  companyId: string;
  createdAt: Timestamp;
  deletedAt: Timestamp | null;
  /** Flows beyond the plan's number: the longest-published ones stay */
  firstPublishedAt: Timestamp | null;
  /** Deleted, and runs of it are still open: they are ended in batches */
  hasRunsToEnd: Generated<boolean>;
  id: string;
  isOn: Generated<boolean>;
  name: string;
  publishedVersionId: string | null;
  updatedAt: Timestamp;
}

export interface FlowRun {
  /** Calls made since the customer's last message to this run; a repeated GET is one call */
  callsSinceReply: Generated<number>;
  /** Milliseconds that those calls took, repeats included */
  callsSinceReplyMs: Generated<number>;
  /** Why it is to be cancelled when it is next looked at: a fact, as JSON text */
  cancelDetail: string | null;
  channelId: string;
  companyId: string;
  contactId: string | null;
  conversationId: string;
  createdAt: Timestamp;
  /** Why: a fact, as JSON text */
  endDetail: string | null;
  endedAt: Timestamp | null;
  endReason: string | null;
  /** Times in a row that its turn could not be taken, by a fault of ours */
  failureCount: Generated<number>;
  flowId: string;
  flowVersionId: string;
  /** A reply that comes while the run is at work is kept for it only after it has sent something */
  hasSent: Generated<boolean>;
  id: string;
  /** As the hook request named it, or the member's browser for a start by hand: two spaces */
  idempotencyKey: string | null;
  language: string | null;
  /** Free times that a step has offered last: JSON text */
  offered: string | null;
  /** Times in a row that the provider refused the present step for now */
  sendFailures: Generated<number>;
  status: string;
  /** The step to do next, or the one that waits */
  stepId: string | null;
  steps: Generated<number>;
  stepsSinceWait: Generated<number>;
  triggerKind: string;
  /** The customer's message that started it: one message starts a flow once */
  triggerMessageId: string | null;
  /** JSON text: strings or null by name */
  variables: Generated<string>;
  waitingSince: Timestamp | null;
  /** reply: for the customer; time: for nobody, until it is over; sent: for the outcome of a send whose answer was lost */
  waitKind: string | null;
  waits: Generated<number>;
  /** When a wait times out */
  waitUntil: Timestamp | null;
  /** Times in a row that the customer's message was no answer to the present question */
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
  /** JSON text: contract/dashboard/run, RunCall; no credential, query, header or body */
  call: string | null;
  /** Of a call: the requests that were about to go out, written before each; 0 when none was */
  callAttempts: number | null;
  companyId: string;
  /** What happened: a fact, as JSON text */
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
  /** It may end a run that waits for a reply */
  interrupts: boolean;
  /** The message must be only that */
  isExact: boolean;
  /** By kind: the first word of a keyword, a template, or nothing */
  key: string;
  kind: string;
  /** What of the message must be so, folded (rules/text/fold-text): a keyword, the label of a button */
  phrase: string;
}

export interface FlowVersion {
  channelId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** JSON text: contract/flow-definition */
  definition: string;
  flowId: string;
  id: string;
  number: number;
  publishedAt: Timestamp | null;
  triggerKind: string;
}

export interface Handover {
  closedAt: Timestamp | null;
  /** Null for the service and for a flow */
  closedBy: string | null;
  closedHow: string | null;
  companyId: string;
  conversationId: string;
  /** Why code handed over where the reason says less, such as model_unavailable */
  detail: string | null;
  id: string;
  openedAt: Timestamp;
  reason: string;
  /** For people: the assistant's or the flow's own words, at most 1,000 characters */
  reasonText: string | null;
  replyId: string | null;
  /** The run that handed over */
  runId: string | null;
}

export interface HookShape {
  answerStatus: string;
  /** JSON text of the last body, long lists and strings cut; kept 30 days */
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
  /** SHA-256 of the whole token; the token itself is shown once */
  tokenHash: Buffer;
  tokenLastFour: string;
}

export interface HookUrlCount {
  companyId: string;
  hookUrlId: string;
  requests: number;
  /** The clock minute that requests are counted in */
  windowStart: Timestamp;
}

export interface Identifier {
  /** When it became former or left; null of a number that a member has replaced: a customer who writes by it is still the same one */
  changedAt: Timestamp | null;
  companyId: string;
  firstAt: Timestamp;
  identityId: string;
  /** What is compared: of a number its digits, in one form for each line */
  key: string;
  kind: string;
  /** shown: by the provider. Otherwise who wrote or typed it, which takes it from nobody */
  proof: string;
  /** Of user and parent: the WhatsApp Business account that showed it, or the channel; another one in another scope contradicts nothing */
  scope: string | null;
  /** When the provider showed it last, as far as it was noted: a fact older than that never takes it away */
  shownAt: Timestamp | null;
  /** current: shown and dialled. former: the identity has another of that kind now, and this one still finds it. left: it is another's or nobody's, and finds nobody */
  state: Generated<string>;
  /** As it came: what is shown and dialled */
  value: string;
}

export interface Identity {
  /** contact_merge.from_id: the contact that it was of before a merge; null: always of this one */
  cameFrom: string | null;
  companyId: string;
  contactId: string;
  createdAt: Timestamp;
  id: string;
}

export interface IdentityChange {
  /** The time of the fact */
  at: Timestamp;
  companyId: string;
  /** Of whom it is told; not a reference, as contacts are merged */
  contactId: string;
  /** By which fact, and the identifier, identity or contact that it tells of */
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
  /** Its link went to the address by e-mail and to nobody else: who accepts it has that mailbox */
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
  /** That are found: none of a source that is off */
  chunkCount: Generated<number>;
  claimId: string | null;
  companyId: string;
  /** What was written, uploaded or fetched last */
  content: Buffer | null;
  createdAt: Timestamp;
  /** When it is to be read, or its page fetched again */
  dueAt: Timestamp | null;
  /** Why it could not be read or fetched: a fact, as JSON text */
  error: string | null;
  fetchedAt: Timestamp | null;
  fileName: string | null;
  id: string;
  isOn: Generated<boolean>;
  kind: string;
  leaseExpiresAt: Timestamp | null;
  mediaType: string | null;
  revision: Generated<number>;
  /** The one whose chunks are found; a later one serves once it is whole */
  servedRevision: number | null;
  sha256: Buffer | null;
  state: string;
  title: string;
  updatedAt: Timestamp;
  url: string | null;
}

export interface KnowledgeTerm {
  /** In how many chunks it stands */
  chunks: number;
  companyId: string;
  /** What forms of one word have in common */
  root: string;
  term: string;
}

export interface Lead {
  /** When it was won or lost */
  closedAt: Timestamp | null;
  companyId: string;
  /** Null of a visitor of a widget, who is known by the conversation */
  contactId: string | null;
  /** The last one in which it was asked for; null where a member made it of a contact */
  conversationId: string | null;
  createdAt: Timestamp;
  id: string;
  /** By a member, or because its contact was merged with one that has a lead */
  lostHow: string | null;
  /** In the words of the member who lost it */
  lostReason: string | null;
  ownerId: string | null;
  /** Of the last time; null again once it is reopened */
  qualifiedAt: Timestamp | null;
  /** Whole points, set and never worked out */
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
  /** Transaction of the change: those below the oldest one still open are complete */
  xid: number;
}

export interface LiveWatch {
  companyId: string;
  /** Changes of transactions from here on are kept */
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
  /** Its place in the order in which messages and entries were written: decides between those of one time */
  arrival: Generated<number>;
  /** Of the send of its key, from 1: what the provider refuses for now is tried again as a message of its own */
  attempt: number | null;
  /** The member who wrote it */
  authorId: string | null;
  /** Of the last try of what it sends to a recipient; null of the tries before */
  broadcastId: string | null;
  /** The status of what a broadcast sends: the statuses of other messages are in no index */
  broadcastStatus: Generated<string | null>;
  buttonPayload: string | null;
  channelId: string;
  /** Of the process that has it in hand; names its node */
  claimId: string | null;
  companyId: string;
  conversationId: string;
  createdAt: Timestamp;
  /** When whoever wrote it deleted it at the provider */
  deletedAt: Timestamp | null;
  deliveredAt: Timestamp | null;
  direction: string;
  /** While queued: when it is to be sent. While failed: when it is tried again */
  dueAt: Timestamp | null;
  /** What it said before each edit, oldest first: text, and until when it said so */
  earlierTexts: Generated<Json>;
  errorCode: string | null;
  /** Why it failed: a fact, as JSON text */
  errorDetail: string | null;
  failedAt: Timestamp | null;
  fileId: string | null;
  id: string;
  /** History that came with a coexistence number: raises nothing */
  isImported: Generated<boolean>;
  /** The conversation in which it was said, where that was joined to this one */
  joinedFrom: string | null;
  leaseExpiresAt: Timestamp | null;
  /** When the provider says it was written, or when we wrote it */
  occurredAt: Timestamp;
  /** JSON text: channels, Outbound; kept until it is sent, or will not be tried again */
  outbound: string | null;
  /** Of an enquiry: the address of the page with the form, as that page tells it; nobody has proved it */
  page: string | null;
  /** What of a channel goes first: 1 staff, 2 the assistant, 3 flows and notices of appointments, 4 broadcasts */
  priority: number | null;
  providerMessageId: string | null;
  /** The emoji that the customer has put on it */
  reaction: string | null;
  readAt: Timestamp | null;
  /** The reply of the assistant that it is a part of */
  replyId: string | null;
  replyToProviderId: string | null;
  /** The run that sent it; null once that is deleted: see forget_run */
  runId: string | null;
  sender: string;
  /** Of what the service sends, by its sender: run and step number. One step of one run never writes two messages. Compared by bytes, so that the messages of a run are a range */
  sendKey: string | null;
  sentAt: Timestamp | null;
  /** In a widget: since when the visitor may read it, by the database's clock */
  shownAt: Timestamp | null;
  /** Of a sent message: queued, sending, unknown, accepted, sent, delivered, read, failed, cancelled */
  status: string | null;
  /** Of a template that failed, when it was written */
  templateFailedAt: Generated<Timestamp | null>;
  templateLanguage: string | null;
  templateName: string | null;
  text: string | null;
  /** What a voice note was heard to say; of a location where it is, in words */
  transcript: string | null;
  type: string;
}

export interface Model {
  accountId: string;
  /** Null: the provider's own */
  baseUrl: string | null;
  /** Why it is not asked until somebody mends it: a fact, as JSON text */
  broken: string | null;
  brokenAt: Timestamp | null;
  contextTokens: number;
  createdAt: Timestamp;
  /** Encrypted: the key; null: its server asks for none */
  credential: string | null;
  id: string;
  isOn: Generated<boolean>;
  kind: string;
  /** Of a key of 12 characters or more */
  lastFour: string | null;
  modelName: string;
  position: number;
  /** It is shown the photos of customers */
  readsImages: Generated<boolean>;
  /** It reasoned over the test question although it was asked not to */
  reasonsAnyway: Generated<boolean>;
  revision: Generated<number>;
  /** Whether it may reason before it answers */
  thinking: Generated<string>;
  /** By which member of a request its server answers without reasoning, as the test question found out; null: none is sent */
  thinkingSwitch: string | null;
  /** By which its server transcribes voice notes; null: it does not */
  transcriptionModel: string | null;
  updatedAt: Timestamp;
}

export interface ModelDay {
  accountId: string;
  /** UTC */
  day: Timestamp;
  /** Requests whose answer told no tokens */
  estimated: Generated<number>;
  purpose: string;
  requests: Generated<number>;
  tokensIn: Generated<number>;
  tokensOut: Generated<number>;
}

export interface ModelWarning {
  accountId: string;
  /** UTC */
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
  /** Of the process that sends its e-mail; names its node */
  claimId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /** JSON text: what the words of the notice are made from */
  details: string;
  id: string;
  /** endpoint_switched_off, endpoint_failing, mentioned or appointments_outside_hours; more may come */
  kind: string;
  leaseExpiresAt: Timestamp | null;
  mailAttempts: Generated<number>;
  /** When its e-mail is to be tried next; while it is sent, the end of the lease; null when none is to be sent any more */
  mailDueAt: Timestamp | null;
  mailedAt: Timestamp | null;
  /** Whom alone it tells; null: the Owners and Admins */
  personId: string | null;
  readAt: Timestamp | null;
  /** What it is about: the endpoint, or the note; null of appointments */
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
  /** When it was found first of late */
  foundAt: Timestamp;
  serviceId: string;
  startsAt: Timestamp;
}

export interface Opening {
  companyId: string;
  /** Minutes of wall time from midnight of that day */
  fromMin: number;
  id: string;
  resourceId: string;
  /** As from_min; past 1,440 it is the next day, to 36:00 */
  toMin: number;
  /** 0 is Sunday */
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
  /** For members: what it is for */
  name: string | null;
  /** Null: of all resources of the company */
  resourceId: string | null;
  toMin: number | null;
}

export interface OperatorSwitch {
  changedAt: Timestamp;
  isOn: boolean;
  /** hooks_paused */
  name: string;
}

export interface OptOutChange {
  actorId: string | null;
  /** Own time of the word or act */
  at: Timestamp;
  broadcastId: string | null;
  companyId: string;
  contactId: string;
  conversationId: string | null;
  createdAt: Timestamp;
  /** A word of the customer; the link of a broadcast; a member; a row of an import; a merge with one who was out; a number of one who was out and was erased */
  how: string;
  id: string;
  isOptedOut: boolean;
  /** In the words of the member who opted the contact in */
  reason: string | null;
}

export interface OptOutMemory {
  companyId: string;
  /** opt_out_hash of an id */
  idHash: Buffer;
  /** Own time of the word or act that opted out */
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
  /** How the dashboard writes numbers in Arabic */
  digits: Generated<string>;
  email: string;
  id: string;
  /** The Owner of the demonstration's account: has no password, comes by the link of a start, and is nobody who could have set the service up */
  isDemonstration: Generated<boolean>;
  /** Of the dashboard and of e-mails to this person; null: what the browser likes best */
  language: string | null;
  name: string | null;
  /** argon2id; null until the person sets a password */
  passwordHash: string | null;
  /** Times in the dashboard: of the place where it is looked at, or UTC */
  timeShown: Generated<string>;
  /** The one account in which this address is believed: the invitation was handed over by hand, so it may be somebody else's. Null: the address is the person's own */
  unverifiedInAccountId: string | null;
}

export interface ProfileLookup {
  attempt: Generated<number>;
  /** Of the process that asks; names its node */
  claimId: string | null;
  companyId: string;
  conversationId: string;
  /** When it is asked next; while it is asked, the end of the lease */
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
  /** The beginning of a clock minute */
  minute: Timestamp;
  used: number;
  /** tests_and_resends, connection_tests, invitations or model_tests */
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
  /** Why it was skipped: a fact, as JSON text */
  reason: string | null;
  runId: string | null;
  /** stopping: its appointment was cancelled, and the run that it started is to end */
  state: string;
  /** Of the appointment for which it was planned */
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
  /** Only deliveries whose id is lower: what comes after the job was made is not its own */
  beforeId: string;
  companyId: string;
  createdAt: Timestamp;
  createdBy: string;
  /** When its next step is due; set exactly while it runs */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  endpointId: string;
  /** JSON text: which deliveries are meant */
  filter: string;
  id: string;
  isMatchedLeast: boolean;
  /** resend makes new deliveries; held lets held ones go */
  kind: string;
  /** Deliveries that it has sent on their way */
  made: Generated<number>;
  /** How many deliveries it found at its making; at least so many where is_matched_least */
  matched: number;
  /** Deliveries a second */
  pace: number;
  /** Deliveries whose body is no longer kept */
  passedOver: Generated<number>;
  /** The last delivery that it looked at */
  position: string;
  /** Why it is paused or was cancelled: by_member, endpoint_off, endpoint_deleted, not_in_plan */
  reason: string | null;
  state: string;
  updatedAt: Timestamp;
}

export interface Resource {
  companyId: string;
  createdAt: Timestamp;
  /** The row stays for what was booked */
  deletedAt: Timestamp | null;
  id: string;
  /** Off: no appointment is given it; what is booked stays */
  isOn: Generated<boolean>;
  kind: string;
  name: string;
  nameAr: string | null;
  /** The member that it is; null where the person is no member */
  personId: string | null;
  updatedAt: Timestamp;
  /** IANA name: its hours are wall time there; null: the zone of the booking page */
  zone: string | null;
}

export interface RunQueue {
  claimId: string | null;
  companyId: string;
  /** When the run is due: at once while queued or answered, at its time-out while waiting */
  dueAt: Timestamp | null;
  /** The run's */
  id: string;
  /** The run is queued: it has not begun */
  isNew: boolean;
  leaseExpiresAt: Timestamp | null;
}

export interface SecondFactor {
  /** Null: begun, and asks for nothing yet */
  confirmedAt: Timestamp | null;
  createdAt: Timestamp;
  id: string;
  personId: string;
  /** Encrypted: what the codes are made from, in base32 */
  secret: string;
  /** The 30 seconds, counted from 1970, of the newest code that was used: none before it is good any more */
  usedStep: number | null;
}

export interface Segment {
  companyId: string;
  createdAt: Timestamp;
  /** JSON text: contract/dashboard/segment, SegmentFilter; who fits is found each time that it is asked */
  filter: string;
  id: string;
  name: string;
  updatedAt: Timestamp;
}

export interface SendRate {
  /** When the sends of the last second began, by the clock of the database */
  begunAt: ArrayType<Timestamp>;
  channelId: string;
  /** How many sends the last statement has begun */
  granted: number;
  perSecond: number;
}

export interface Service {
  /** Minutes that its resources are taken after an appointment */
  afterMin: Generated<number>;
  /** Minutes that its resources are taken before an appointment */
  beforeMin: Generated<number>;
  companyId: string;
  createdAt: Timestamp;
  /** The row stays for what was booked */
  deletedAt: Timestamp | null;
  id: string;
  /** Off: offered to nobody; members may still book it */
  isOn: Generated<boolean>;
  /** How long an appointment lasts, in elapsed time */
  minutes: number;
  name: string;
  /** Its name for who reads Arabic; null: name */
  nameAr: string | null;
  /** Minutes of wall time between two starts that are offered, from each opening on */
  stepMin: number;
  updatedAt: Timestamp;
}

export interface ServiceNeed {
  companyId: string;
  resourceId: string;
  /** An appointment takes one resource of each role of its service: any of that role will do */
  role: Generated<string>;
  serviceId: string;
}

export interface Session {
  /** The account that the person works in with this session */
  accountId: string;
  /** A browser's cookie, or a program's Authorization header */
  carrier: string;
  createdAt: Timestamp;
  /** The end, however busy the session is */
  expiresAt: Timestamp;
  id: string;
  /** To the minute; idle sessions end by it */
  lastSeenAt: Timestamp;
  passwordEnteredAt: Timestamp;
  personId: string;
  /** SHA-256 of the 32 random bytes as text; the token is nowhere */
  tokenHash: Buffer;
  userAgent: string | null;
}

export interface SetUp {
  closedAt: Timestamp | null;
  isOnly: Generated<boolean>;
  openedAt: Timestamp;
  /** Who was made the first Owner */
  personId: string | null;
  /** What the token is derived from, with an encryption key; random, and new for a start a day after it was made */
  seed: string;
}

export interface SignInFailure {
  failedAt: Timestamp;
  id: string;
  /** SHA-256 of what is counted: an e-mail or a network address */
  throttleKey: Buffer;
}

export interface Site {
  accent: string | null;
  asksEmail: Generated<string>;
  /** Whether a visitor is asked for it before the first message */
  asksName: Generated<string>;
  channelId: string;
  companyId: string;
  createdAt: Timestamp;
  greetingAr: string | null;
  greetingEn: string | null;
  /** Sites that may show it: scheme, host and port, as a browser writes an origin */
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
  /** The provider's JSON, as text */
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
  runId: string;
  sentAt: Timestamp;
}

export interface TrustedDevice {
  expiresAt: Timestamp;
  id: string;
  knownSince: Timestamp;
  personId: string;
  /** SHA-256 of the 32 random bytes as text; the token is in the browser's cookie alone */
  tokenHash: Buffer;
}

export interface Visitor {
  channelId: string;
  companyId: string;
  createdAt: Timestamp;
  id: string;
  /** To the day: who was not seen for long is forgotten */
  seenAt: Timestamp;
  /** SHA-256; the token is good for this widget alone */
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
  /** Which event_body is sent: the event's, or the copy of a resend */
  bodyId: string;
  companyId: string;
  createdAt: Timestamp;
  endedAt: Timestamp | null;
  endpointId: string;
  eventId: string;
  /** Begins with the first half of the event's id, except for a resend: deliveries_of finds those of an event */
  id: string;
  /** The job that resent or released it */
  jobId: string | null;
  kind: string;
  /** Why the last attempt failed, in one word; null after a success */
  lastError: string | null;
  /** Milliseconds that the last attempt took; null before the first */
  lastMs: number | null;
  /** HTTP status of the last attempt; null when no answer came */
  lastStatus: number | null;
  /** The state, but for what is delivered and for what waits and has not failed yet */
  oddState: Generated<string | null>;
  /** The last status, but for 200 to 299 */
  oddStatus: Generated<number | null>;
  /** The delivery that a person sent again */
  resendOf: string | null;
  /** The milliseconds of the last attempt, where it was slow */
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
