/** The parts of an infinite query that `showMore` needs. */
export type LongList = {
  data?: unknown
  fetchNextPage?(options?: {
    cancelRefetch?: boolean
  }): Promise<{ data?: unknown; hasNextPage: boolean; isError: boolean }>
}

/**
 * Reads the next page of a list, after a refetch that is in progress. The next page would replace the refetch, whose
 * changes would not be shown until another one.
 */
export async function showMore({ data, fetchNextPage }: LongList): Promise<void> {
  // A read in progress is returned here instead of a new one, and the next page is still to be read.
  const read = await fetchNextPage?.({ cancelRefetch: false })
  if (!read || read.isError || !read.hasNextPage) return
  if (pagesIn(read.data) <= pagesIn(data)) await fetchNextPage?.({ cancelRefetch: false })
}

function pagesIn(data: unknown): number {
  return (data as { pages: unknown[] } | undefined)?.pages.length ?? 0
}
