/** The public pages as a browser without a screen requests them, or a client that is no browser. */
import { request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { once } from 'node:events'

export type PageAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

type Asked = {
  method?: string
  headers?: Record<string, string>
  /** A form, or any body. */
  form?: Record<string, string> | string
}

/** Requests a page as `fetch` does, but can set the headers that only a browser may set. Follows no redirect. */
export async function getPage(
  url: string,
  { method, headers = {}, form }: Asked = {},
): Promise<PageAnswer> {
  const body = typeof form === 'object' ? new URLSearchParams(form).toString() : form
  const request = ask(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const text = (await buffer(response)).toString('utf8')
  return { status: response.statusCode!, headers: response.headers, text }
}

/** Returns the text that a reader of the page sees. */
export function readText(page: string): string {
  return page
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns the target of the link with this label, on a page that was requested at `url`. */
export function linkTo(url: string, { text }: PageAnswer, label: string): string {
  for (const [, href, inside] of text.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a\s*>/gs)) {
    if (readText(inside!).startsWith(label)) {
      return new URL(href!.replaceAll('&amp;', '&').replace(/#.*/, ''), url).href
    }
  }
  throw new Error(`no link says ${label}: ${readText(text)}`)
}
