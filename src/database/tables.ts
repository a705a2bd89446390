/**
 * The type of every table, written by `node scripts/generate-tables.ts` from the migrations. Do not
 * edit it: change the database by a new migration and run the script again.
 */
import type { ColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface Account {
  createdAt: Timestamp;
  id: string;
  name: string | null;
  /**
   * Shared by the account and its projects
   */
  plan: string;
  /**
   * The operator's number of automated templates a day; null: the plan's
   */
  templatesPerDay: number | null;
}

export interface ActionDay {
  calls: number;
  companyId: string;
  /**
   * The contact's id; without a contact the conversation's
   */
  customer: string;
  /**
   * UTC
   */
  day: Timestamp;
}

export interface ActionProposal {
  actionId: string;
  /**
   * The customer's newest message at that time
   */
  afterMessageId: string | null;
  /**
   * JSON text: what the customer was told, and nothing else is called
   */
  arguments: string;
  companyId: string;
  conversationId: string;
  createdAt: Timestamp;
  endedAt: Timestamp | null;
  id: string;
  /**
   * The customer's value at that time, when the action is about the customer
   */
  identity: string | null;
  revision: number;
  startedAt: Timestamp | null;
  /**
   * started before the call goes out; one that stays so was cut off, and is never called again
   */
  state: string;
}

export interface ActionReply {
  calls: number;
  companyId: string;
  replyId: string;
  startedAt: Timestamp;
  /**
   * How long its calls took together
   */
  usedMs: Generated<number>;
}

export interface AiAction {
  companyId: string;
  /**
   * The same as in the request of the definition
   */
  connectionId: string;
  createdAt: Timestamp;
  /**
   * JSON text: contract/ai-action
   */
  definition: string;
  id: string;
  isOn: boolean;
  needsConfirmation: boolean;
  /**
   * Counts the changes; a proposal is good for the action as it was stated only
   */
  revision: Generated<number>;
  toolName: string;
  updatedAt: Timestamp;
}

export interface ApiConnection {
  authKind: string;
  /**
   * The header or query parameter that carries the key
   */
  authName: string | null;
  baseUrl: string;
  companyId: string;
  createdAt: Timestamp;
  /**
   * Encrypted JSON text: a token, or a user name and a password; wiped when deleted
   */
  credential: string | null;
  /**
   * Shown to members; null for a credential under 12 characters
   */
  credentialLastFour: string | null;
  deletedAt: Timestamp | null;
  /**
   * JSON text: name and value, sent with every call
   */
  headers: Generated<string>;
  id: string;
  isOn: Generated<boolean>;
  name: string;
  timeoutMs: number;
  updatedAt: Timestamp;
}

export interface Audit {
  accountId: string;
  action: string;
  actorId: string | null;
  actorKind: string;
  companyId: string | null;
  createdAt: Timestamp;
  /**
   * JSON text; never a secret, token or credential
   */
  detail: string | null;
  id: string;
  subjectId: string;
  subjectKind: string;
}

export interface CallDay {
  accountId: string;
  /**
   * UTC
   */
  day: Timestamp;
  /**
   * Attempts over the account and its projects, repeats and tests too
   */
  made: number;
}

export interface CallLog {
  actionId: string | null;
  companyId: string;
  connectionId: string;
  conversationId: string | null;
  durationMs: number;
  /**
   * Why it failed, in a word of CALL_FAILURES; null for a success
   */
  error: string | null;
  host: string;
  id: string;
  isRepeat: boolean;
  method: string;
  /**
   * Of the base URL and the request together, once filled in
   */
  path: string;
  /**
   * The member who tested
   */
  personId: string | null;
  runId: string | null;
  source: string;
  startedAt: Timestamp;
  /**
   * Of the answer, also when it was not read whole
   */
  status: number | null;
  stepId: string | null;
}

export interface Channel {
  companyId: string;
  /**
   * ISO 3166-1 alpha-2, of the number
   */
  country: string | null;
  createdAt: Timestamp;
  /**
   * Encrypted JSON, bound to this row
   */
  credentials: string;
  /**
   * Its credentials are wiped then; the row stays for what was said on it
   */
  deletedAt: Timestamp | null;
  disconnectedReason: string | null;
  /**
   * Digits without +
   */
  displayNumber: string | null;
  id: string;
  isConnected: boolean;
  isSimulated: Generated<boolean>;
  name: string | null;
  /**
   * WhatsApp Business account id
   */
  providerAccount: string | null;
  /**
   * What the provider names the channel by in its webhooks: phone number id, page id, bot id
   */
  providerRoute: string;
  /**
   * Hours that the owner's reply from the provider's app keeps flows and assistant out of a conversation
   */
  takeOverHours: Generated<number>;
  /**
   * When the provider's list of templates is read next; null: only when a member asks
   */
  templatesDueAt: Timestamp | null;
  type: string;
  updatedAt: Timestamp;
  /**
   * SHA-256 of the verify token; null when deleted, and until the first start after this migration fills it
   */
  verifyTokenHash: Buffer | null;
}

export interface Company {
  accountId: string;
  createdAt: Timestamp;
  id: string;
  isProject: Generated<boolean>;
  name: string | null;
}

export interface CompanyHookCount {
  companyId: string;
  requests: number;
  /**
   * The clock hour that requests are counted in
   */
  windowStart: Timestamp;
}

export interface Contact {
  companyId: string;
  createdAt: Timestamp;
  email: string | null;
  /**
   * JSON text: custom fields by key, values string or null
   */
  fields: Generated<string>;
  id: string;
  language: string | null;
  name: string | null;
  /**
   * Set exactly while opted out
   */
  optedOutAt: Timestamp | null;
  /**
   * Own time of the newest word or act that opted out or in, whether or not it changed anything; an older one that comes later changes nothing
   */
  optOutWordAt: Timestamp | null;
  /**
   * E.164; null when unknown or without a country code
   */
  phone: string | null;
  tags: Generated<string[]>;
  updatedAt: Timestamp;
  /**
   * The business-scoped or @lid id; null when only a number is known
   */
  whatsappId: string | null;
}

export interface ContactAlias {
  companyId: string;
  contactId: string;
  createdAt: Timestamp;
  kind: string;
  /**
   * number: digits; provider: route, colon, the id there
   */
  value: string;
}

export interface Conversation {
  /**
   * When conversation.started was raised, or history told of a message of the customer; null while only the business has written
   */
  announcedAt: Timestamp | null;
  assigneeId: string | null;
  channelId: string;
  channelType: string;
  companyId: string;
  /**
   * Null for a web widget visitor
   */
  contactId: string | null;
  createdAt: Timestamp;
  /**
   * The id of the customer that was known when it began: digits without +, a business-scoped id, an @lid id, a provider id; never changed
   */
  filedUnder: string;
  handledBy: Generated<string>;
  id: string;
  lastMessageAt: Timestamp | null;
  /**
   * When the window for replies closes that the customer's last message opened; null when they never wrote, and on channels without a window
   */
  serviceWindowEndsAt: Timestamp | null;
  status: Generated<string>;
  /**
   * While handled_by is staff by the owner's replies from the provider's app: when it is given back by itself; null: a person has it until they give it back
   */
  takenOverUntil: Timestamp | null;
  visitorName: string | null;
}

export interface DeliveryAttempt {
  /**
   * The first 2,048 bytes of the answer, as they came
   */
  answerHead: Buffer | null;
  answerHeaders: Buffer | null;
  /**
   * There was, or may have been, more of the body than answer_head; null without an answer, and before this column
   */
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
  /**
   * There were more headers than answer_headers; null without an answer, and before this column
   */
  headersAreCut: boolean | null;
  httpStatus: number | null;
  id: string;
  /**
   * Finished after its lease had gone to another worker: logged, counted for nothing
   */
  isLate: Generated<boolean>;
  /**
   * 1 to 8 within its delivery
   */
  number: number;
  remoteAddress: string | null;
  /**
   * Last four characters of each secret that signed
   */
  signedWith: string[];
  startedAt: Timestamp;
  url: string;
}

export interface DeliveryHour {
  attempts: Generated<number>;
  companyId: string;
  /**
   * Of all these attempts together
   */
  durationMs: Generated<number>;
  endpointId: string;
  failures: Generated<number>;
  hour: Timestamp;
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
  /**
   * failures_in_row, failing_for_days, gone or by_member
   */
  offReason: string | null;
  updatedAt: Timestamp;
  url: string;
}

export interface EndpointHealth {
  companyId: string;
  endpointId: string;
  failingSince: Timestamp | null;
  /**
   * Failed attempts since the last success, tests left out
   */
  failuresInRow: Generated<number>;
  lastFailureAt: Timestamp | null;
  lastSuccessAt: Timestamp | null;
  /**
   * Attempts that may be in flight at once: 1 while it fails, back to 8 by successes
   */
  slots: Generated<number>;
  /**
   * When the owner was warned of the present row of failures
   */
  warnedAt: Timestamp | null;
}

export interface EndpointSecret {
  companyId: string;
  createdAt: Timestamp;
  endpointId: string;
  id: string;
  lastFour: string;
  /**
   * Encrypted: v1.<key id>.<nonce>.<ciphertext and tag>, bound to this row
   */
  secret: string;
  /**
   * Null for the current secret; the end of the overlap for the one before it
   */
  signsUntil: Timestamp | null;
}

export interface Event {
  companyId: string;
  contactId: string | null;
  conversationId: string | null;
  /**
   * UUIDv7; a merchant sees evt_ and its 32 hex characters
   */
  id: string;
  isTest: Generated<boolean>;
  occurredAt: Timestamp;
  runId: string | null;
  type: string;
}

export interface EventBody {
  apiVersion: string;
  /**
   * The exact bytes of the envelope, frozen when the event was written; shared by endpoints and retries
   */
  body: Buffer;
  /**
   * The event's id; of a resend the delivery's id, so that its copy is kept as long as the resend
   */
  id: string;
}

export interface Flow {
  companyId: string;
  createdAt: Timestamp;
  deletedAt: Timestamp | null;
  /**
   * Flows beyond the plan's number: the longest-published ones stay
   */
  firstPublishedAt: Timestamp | null;
  /**
   * Deleted, and runs of it are still open: they are ended in batches
   */
  hasRunsToEnd: Generated<boolean>;
  id: string;
  isOn: Generated<boolean>;
  name: string;
  publishedVersionId: string | null;
  updatedAt: Timestamp;
}

export interface FlowRun {
  /**
   * Calls made since the customer's last message to this run; a repeated GET is one call
   */
  callsInGo: Generated<number>;
  /**
   * Milliseconds that those calls took, repeats included
   */
  callsInGoMs: Generated<number>;
  channelId: string;
  claimedUntil: Timestamp | null;
  claimId: string | null;
  companyId: string;
  contactId: string | null;
  conversationId: string;
  createdAt: Timestamp;
  /**
   * Why, for people
   */
  endDetail: string | null;
  endedAt: Timestamp | null;
  endReason: string | null;
  flowId: string;
  flowVersionId: string;
  /**
   * A reply that comes while the run is at work is kept for it only after it has sent something
   */
  hasSent: Generated<boolean>;
  id: string;
  idempotencyKey: string | null;
  language: string | null;
  /**
   * Times in a row that the provider refused the present step for now
   */
  sendFailures: Generated<number>;
  status: string;
  /**
   * The step to do next, or the one that waits
   */
  stepId: string | null;
  steps: Generated<number>;
  stepsSinceWait: Generated<number>;
  triggerKind: string;
  /**
   * JSON text: strings or null by name
   */
  variables: Generated<string>;
  waitingSince: Timestamp | null;
  /**
   * reply: for the customer; sent: for the outcome of a send whose answer was lost
   */
  waitKind: string | null;
  waits: Generated<number>;
  /**
   * When a wait times out
   */
  waitUntil: Timestamp | null;
  /**
   * When the run is due: at once while queued or answered, at its time-out while waiting
   */
  wakeAt: Timestamp | null;
}

export interface FlowRunReply {
  companyId: string;
  consumedAt: Timestamp | null;
  messageId: string;
  receivedAt: Timestamp;
  runId: string;
}

export interface FlowRunStep {
  /**
   * JSON text: contract/dashboard/run, RunCall; no credential, query, header or body
   */
  call: string | null;
  /**
   * Of a call: the requests that were about to go out, written before each; 0 when none was
   */
  callAttempts: number | null;
  companyId: string;
  /**
   * What happened, for people
   */
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

export interface FlowVersion {
  channelId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /**
   * JSON text: contract/flow-definition
   */
  definition: string;
  flowId: string;
  id: string;
  number: number;
  publishedAt: Timestamp | null;
  triggerKind: string;
}

export interface HookShape {
  answerStatus: string;
  /**
   * JSON text of the last body, long lists and strings cut; kept 30 days
   */
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
  /**
   * SHA-256 of the whole token; the token itself is shown once
   */
  tokenHash: Buffer;
  tokenLastFour: string;
}

export interface HookUrlCount {
  companyId: string;
  hookUrlId: string;
  requests: number;
  /**
   * The clock minute that requests are counted in
   */
  windowStart: Timestamp;
}

export interface Invitation {
  accountId: string;
  createdAt: Timestamp;
  email: string;
  expiresAt: Timestamp;
  id: string;
  invitedBy: string | null;
  /**
   * Its link went to the address by e-mail and to nobody else: who accepts it has that mailbox
   */
  isMailed: Generated<boolean>;
  role: string;
  tokenHash: Buffer;
}

export interface KnownDevice {
  expiresAt: Timestamp;
  id: string;
  knownSince: Timestamp;
  personId: string;
  /**
   * SHA-256 of the 32 random bytes as text; the token is in the browser's cookie alone
   */
  tokenHash: Buffer;
}

export interface LiveChange {
  changedAt: Generated<Timestamp>;
  companyId: string;
  deliveryId: string;
  /**
   * Transaction of the change: those below the oldest one still open are complete
   */
  xid: number;
}

export interface LiveWatch {
  companyId: string;
  /**
   * Changes of transactions from here on are kept
   */
  sinceXid: Generated<number>;
  watchedUntil: Timestamp;
}

export interface Member {
  accountId: string;
  createdAt: Timestamp;
  id: string;
  personId: string;
  role: string;
}

export interface Message {
  buttonPayload: string | null;
  channelId: string;
  companyId: string;
  conversationId: string;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
  direction: string;
  errorCode: string | null;
  errorDetail: string | null;
  failedAt: Timestamp | null;
  id: string;
  /**
   * History that came with a coexistence number: raises nothing
   */
  isImported: Generated<boolean>;
  media: string | null;
  /**
   * When the provider says it was written, or when we wrote it
   */
  occurredAt: Timestamp;
  providerMessageId: string | null;
  readAt: Timestamp | null;
  replyToProviderId: string | null;
  runId: string | null;
  sender: string;
  /**
   * Run and step number: one step of one run never writes two messages
   */
  sendKey: string | null;
  sentAt: Timestamp | null;
  /**
   * Of a sent message: sending, unknown, accepted, sent, delivered, read, failed
   */
  status: string | null;
  templateLanguage: string | null;
  templateName: string | null;
  text: string | null;
  type: string;
}

export interface MinuteCount {
  accountId: string;
  /**
   * The beginning of a clock minute
   */
  minute: Timestamp;
  used: number;
  /**
   * tests_and_resends, connection_tests or invitations
   */
  what: string;
}

export interface Notice {
  accountId: string;
  companyId: string;
  createdAt: Timestamp;
  /**
   * JSON text: what the words of the notice are made from
   */
  details: string;
  id: string;
  /**
   * endpoint_switched_off or endpoint_failing; more may come
   */
  kind: string;
  mailAttempts: Generated<number>;
  /**
   * When its e-mail is to be tried next; null when none is to be sent any more
   */
  mailDueAt: Timestamp | null;
  mailedAt: Timestamp | null;
  readAt: Timestamp | null;
  /**
   * What it is about: the endpoint
   */
  subjectId: string | null;
}

export interface OperatorSwitch {
  changedAt: Timestamp;
  isOn: boolean;
  /**
   * hooks_paused
   */
  name: string;
}

export interface Person {
  createdAt: Timestamp;
  email: string;
  id: string;
  name: string | null;
  /**
   * argon2id; null until the person sets a password
   */
  passwordHash: string | null;
  /**
   * The one account in which this address is believed: the invitation was handed over by hand, so it may be somebody else's. Null: the address is the person's own
   */
  unprovedIn: string | null;
}

export interface ResendJob {
  /**
   * Only deliveries whose id is lower: what comes after the job was made is not its own
   */
  beforeId: string;
  companyId: string;
  createdAt: Timestamp;
  createdBy: string;
  /**
   * When its next step is due; set exactly while it runs
   */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  endpointId: string;
  /**
   * JSON text: which deliveries are meant
   */
  filter: string;
  id: string;
  isMatchedLeast: boolean;
  /**
   * resend makes new deliveries; held lets held ones go
   */
  kind: string;
  /**
   * Deliveries that it has sent on their way
   */
  made: Generated<number>;
  /**
   * How many deliveries it found at its making; at least so many where is_matched_least
   */
  matched: number;
  /**
   * Deliveries a second
   */
  pace: number;
  /**
   * Deliveries whose body is no longer kept
   */
  passedOver: Generated<number>;
  /**
   * The last delivery that it looked at
   */
  position: string;
  /**
   * Why it is paused or was cancelled: by_member, endpoint_off, endpoint_deleted, not_in_plan
   */
  reason: string | null;
  state: string;
  updatedAt: Timestamp;
}

export interface Session {
  /**
   * The account that the person works in with this session
   */
  accountId: string;
  /**
   * A browser's cookie, or a program's Authorization header
   */
  carrier: string;
  createdAt: Timestamp;
  /**
   * The end, however busy the session is
   */
  expiresAt: Timestamp;
  id: string;
  /**
   * To the minute; idle sessions end by it
   */
  lastSeenAt: Timestamp;
  passwordEnteredAt: Timestamp;
  personId: string;
  /**
   * SHA-256 of the 32 random bytes as text; the token is nowhere
   */
  tokenHash: Buffer;
  userAgent: string | null;
}

export interface SetUp {
  closedAt: Timestamp | null;
  isOnly: Generated<boolean>;
  openedAt: Timestamp;
  /**
   * Who was made the first Owner
   */
  personId: string | null;
  tokenHash: Buffer;
}

export interface SignInFailure {
  failedAt: Timestamp;
  id: string;
  /**
   * SHA-256 of what is counted: an e-mail or a network address
   */
  throttleKey: Buffer;
}

export interface Template {
  category: string;
  channelId: string;
  companyId: string;
  /**
   * The provider's JSON, as text
   */
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

export interface WebhookDelivery {
  apiVersion: string;
  attempts: Generated<number>;
  /**
   * Which event_body is sent: the event's, or the copy of a resend
   */
  bodyId: string;
  claimedUntil: Timestamp | null;
  claimId: string | null;
  companyId: string;
  createdAt: Timestamp;
  /**
   * When the next attempt may start; set exactly while pending
   */
  dueAt: Timestamp | null;
  endedAt: Timestamp | null;
  endpointId: string;
  eventId: string;
  id: string;
  /**
   * The job that resent or released it
   */
  jobId: string | null;
  kind: string;
  /**
   * While due: first attempts of events, retries and resends, or tests. Null: not due, or not seen to be due yet
   */
  lane: string | null;
  /**
   * Why the last attempt failed, in one word; null after a success
   */
  lastError: string | null;
  /**
   * HTTP status of the last attempt; null when no answer came
   */
  lastStatus: number | null;
  /**
   * The delivery that a person sent again
   */
  resendOf: string | null;
  state: string;
}

export interface DB {
  account: Account;
  actionDay: ActionDay;
  actionProposal: ActionProposal;
  actionReply: ActionReply;
  aiAction: AiAction;
  apiConnection: ApiConnection;
  audit: Audit;
  callDay: CallDay;
  callLog: CallLog;
  channel: Channel;
  company: Company;
  companyHookCount: CompanyHookCount;
  contact: Contact;
  contactAlias: ContactAlias;
  conversation: Conversation;
  deliveryAttempt: DeliveryAttempt;
  deliveryHour: DeliveryHour;
  endpoint: Endpoint;
  endpointHealth: EndpointHealth;
  endpointSecret: EndpointSecret;
  event: Event;
  eventBody: EventBody;
  flow: Flow;
  flowRun: FlowRun;
  flowRunReply: FlowRunReply;
  flowRunStep: FlowRunStep;
  flowVersion: FlowVersion;
  hookShape: HookShape;
  hookUrl: HookUrl;
  hookUrlCount: HookUrlCount;
  invitation: Invitation;
  knownDevice: KnownDevice;
  liveChange: LiveChange;
  liveWatch: LiveWatch;
  member: Member;
  message: Message;
  minuteCount: MinuteCount;
  notice: Notice;
  operatorSwitch: OperatorSwitch;
  person: Person;
  resendJob: ResendJob;
  session: Session;
  setUp: SetUp;
  signInFailure: SignInFailure;
  template: Template;
  templateDay: TemplateDay;
  templateSend: TemplateSend;
  webhookDelivery: WebhookDelivery;
}
