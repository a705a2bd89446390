/** Internal limits of the public pages. Source: docs/reference/limits.md, Public pages. */
export const PAGE_LIMITS = {
  /** Views and forms of one address, which many phones may share. */
  viewsPerMinute: 240,
  formsPerMinute: 60,
  /** Views of one company's booking page by all clients: each view computes free times. */
  bookingViewsPerMinute: 600,
  /** Views of all booking pages of one account. */
  bookingViewsOfAccountPerMinute: 1_200,
  formBytes: 8_192,
  /** Bytes of all forms that arrive in one process. */
  budgetBytes: 2 * 1_048_576,
  /** Days that one view of the booking page shows. */
  daysShown: 14,
  /** Length of a URL with its query; the service creates no longer one. */
  urlChars: 2_000,
  /** Contrast of text, and of other elements, with their background (WCAG 2.2, 1.4.3 and 1.4.11). */
  textContrast: 4.5,
  edgeContrast: 3,
} as const
