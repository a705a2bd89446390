/**
 * Returns a shell command that posts a delivery's body as this service does. It holds no secret: the signature is a
 * blank, and so are the values in the URL's query, where merchants keep tokens.
 */
export function curlCommand(delivery: {
  url: string
  eventType: string
  deliveryId: string
  body: string
}): string {
  const headers = [
    ...requestHeaders(delivery).map(({ name, value }) => `${name}: ${value}`),
    'x-service-signature: t=UNIX_SECONDS,v1=SIGNATURE',
  ]
  return [
    `curl --request POST ${quoted(withoutValues(delivery.url))}`,
    ...headers.map((header) => `--header ${quoted(header)}`),
    `--data-binary ${quoted(delivery.body)}`,
  ].join(' \\\n  ')
}

/** Returns the headers of a delivery without its signature. Spec: Deliveries › Request. */
export function requestHeaders(delivery: { eventType: string; deliveryId: string }) {
  return [
    { name: 'content-type', value: 'application/json; charset=utf-8' },
    { name: 'user-agent', value: 'Service-Webhooks/1.0' },
    { name: 'x-service-event', value: delivery.eventType },
    { name: 'x-service-delivery', value: delivery.deliveryId },
  ]
}

function withoutValues(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return url
  const pairs = url.slice(start + 1).split('&')
  const names = pairs.map((pair) => {
    const equals = pair.indexOf('=')
    return equals === -1 ? 'VALUE' : `${pair.slice(0, equals)}=VALUE`
  })
  return `${url.slice(0, start)}?${names.join('&')}`
}

/** Returns a text in single quotes, in which a shell expands nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
