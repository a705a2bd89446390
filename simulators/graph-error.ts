import { createHmac, randomBytes } from 'node:crypto'

type Kind = { httpStatus: number; title: string; details?: string }

/** Meta's errors by code, for responses and for `failed` statuses. */
const KINDS: Record<number, Kind> = {
  4: { httpStatus: 400, title: 'Application request limit reached' },
  100: { httpStatus: 400, title: 'Invalid parameter' },
  130429: {
    httpStatus: 429,
    title: 'Rate limit hit',
    details:
      'Message failed to send because there were too many messages sent from this phone number in a short period of time.',
  },
  131000: {
    httpStatus: 500,
    title: 'Something went wrong',
    details: 'Message failed to send due to an unknown error.',
  },
  131008: { httpStatus: 400, title: 'Required parameter is missing' },
  131009: { httpStatus: 400, title: 'Parameter value is not valid' },
  131021: {
    httpStatus: 400,
    title: 'Recipient cannot be sender',
    details: 'Sender and recipient phone number is the same.',
  },
  131026: {
    httpStatus: 400,
    title: 'Message undeliverable',
    details: 'Message undeliverable.',
  },
  131030: {
    httpStatus: 400,
    title: 'Recipient phone number not in allowed list',
    details: 'Recipient phone number not in allowed list: add it to the list and try again.',
  },
  131047: {
    httpStatus: 400,
    title: 'Re-engagement message',
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
  131049: {
    httpStatus: 400,
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details:
      'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
  131042: {
    httpStatus: 402,
    title: 'Business eligibility payment issue',
    details: 'Message failed to send because of one or more errors related to your payment method.',
  },
  131050: {
    httpStatus: 400,
    title: 'User has stopped marketing messages',
    details: 'The customer has chosen to stop receiving marketing messages from this business.',
  },
  131051: { httpStatus: 400, title: 'Unsupported message type' },
  131056: {
    httpStatus: 400,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    details:
      'Message failed to send because too many messages were sent to this phone number in a short time.',
  },
  132000: {
    httpStatus: 400,
    title: 'Number of parameters does not match the expected number of params',
  },
  132001: { httpStatus: 404, title: 'Template name does not exist in the translation' },
  132012: {
    httpStatus: 400,
    title: 'Parameter format does not match format in the created template',
  },
  132015: { httpStatus: 400, title: 'Template is paused' },
  132016: { httpStatus: 400, title: 'Template is disabled' },
  132018: {
    httpStatus: 400,
    title: 'There is an issue with the parameters in your template',
    details: 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
  },
}

/** A refusal by Meta: the HTTP status and the body of the response. */
export class GraphError extends Error {
  readonly httpStatus: number
  readonly code: number
  readonly body: { error: Record<string, unknown> }

  constructor(httpStatus: number, code: number, error: Record<string, unknown>) {
    super(String(error.message))
    this.name = 'GraphError'
    this.httpStatus = httpStatus
    this.code = code
    const fbtrace_id = `A${randomBytes(17).toString('base64url')}`
    this.body = { error: { ...error, fbtrace_id } }
  }
}

/** Returns WhatsApp's error for a code, with the code in the message and with details. */
export function refusal(code: number, details?: string): GraphError {
  const kind = KINDS[code] ?? { httpStatus: 400, title: 'Unknown error' }
  return new GraphError(kind.httpStatus, code, {
    message: `(#${code}) ${kind.title}`,
    type: 'OAuthException',
    code,
    error_data: {
      messaging_product: 'whatsapp',
      details: details ?? kind.details ?? kind.title,
    },
  })
}

/** Returns the Graph API's error for a missing or wrong parameter. */
export function invalidParameter(message: string, httpStatus = 400): GraphError {
  const text = `(#100) ${message}`
  return new GraphError(httpStatus, 100, { message: text, type: 'OAuthException', code: 100 })
}

/** Returns the Graph API's error for an invalid access token. */
export function invalidToken(): GraphError {
  return new GraphError(401, 190, {
    message: 'Invalid OAuth access token - Cannot parse access token',
    type: 'OAuthException',
    code: 190,
  })
}

/**
 * Throws for a wrong `appsecret_proof` in the query: one that the app's secret and the token do not make. A query
 * without a proof is accepted.
 * @throws GraphError
 */
export function refuseWrongProof(
  query: URLSearchParams,
  { accessToken, appSecret }: { accessToken: string; appSecret: string },
): void {
  const proof = query.get('appsecret_proof')
  if (proof === null) return
  if (proof === createHmac('sha256', appSecret).update(accessToken).digest('hex')) return
  throw new GraphError(400, 100, {
    message: 'Invalid appsecret_proof provided in the API argument',
    type: 'GraphMethodException',
    code: 100,
  })
}

/** Returns the Graph API's error for an object that does not exist for this token. */
export function unknownObject(id: string, method: string): GraphError {
  return new GraphError(400, 100, {
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    type: 'GraphMethodException',
    code: 100,
    error_subcode: 33,
  })
}

/** Returns the Graph API's error for an unknown path. */
export function unknownPath(path: string): GraphError {
  return new GraphError(400, 2500, {
    message: `Unknown path components: ${path}`,
    type: 'OAuthException',
    code: 2500,
  })
}

/** Returns the error object of a failed message in a webhook, the only one in `errors[]` of a `failed` status. */
export function statusError(code: number): Record<string, unknown> {
  const { title, details = title } = KINDS[code] ?? { title: 'Unknown error' }
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  }
}
