/** Of a list that is read page by page, what showing more of it takes. */
export type LongList = {
  data?: unknown
  fetchNextPage?(options?: {
    cancelRefetch?: boolean
  }): Promise<{ data?: unknown; hasNextPage: boolean; isError: boolean }>
}

/**
 * Reads the next page. What is just being read anew, since something has changed, is waited for: the next page
 * would take its place, and the change be shown by nothing until there is another.
 */
export async function showMore({ data, fetchNextPage }: LongList): Promise<void> {
  // Where a read is under way this is that one, and the next page is still to be read.
  const read = await fetchNextPage?.({ cancelRefetch: false })
  if (!read || read.isError || !read.hasNextPage) return
  if (pagesIn(read.data) <= pagesIn(data)) await fetchNextPage?.({ cancelRefetch: false })
}

function pagesIn(data: unknown): number {
  return (data as { pages: unknown[] } | undefined)?.pages.length ?? 0
}
