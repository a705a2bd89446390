/**
 * Returns the content security policy of the dashboard's document: it allows the service's own files, and inline
 * elements with the nonce of this response. Scripts and styles in attributes are refused; a style that a script sets
 * on an element is not an attribute.
 */
export function writeDashboardPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
