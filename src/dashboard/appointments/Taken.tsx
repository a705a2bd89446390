import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { Banner } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { readNextFree, useShopZone } from './use-calendar.ts'
import { useWallFormat, wallOf } from './wall.ts'
import { bookWords } from './words-book.ts'

type Wish = { serviceId: string; resourceId: string | null; from: string }

/** Returns a wrapper for bookings that finds the next free times when another booking was faster. */
export function useTaken() {
  const api = useApi()
  const [next, setNext] = useState<string[] | null>(null)
  return {
    next,
    clear: () => setNext(null),
    /**
     * Runs the act. Returns null when the time was taken, and then sets `next` to the next free times. @throws ApiError
     */
    attempt: async <Done,>(wish: Wish, act: () => Promise<Done>): Promise<Done | null> => {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'slot_taken') throw error
        setNext(await readNextFree(api, wish))
        void api.changed('appointments')
        return null
      }
    },
  }
}

/** A banner which says that another booking has taken the chosen time, with buttons for the next free times. */
export function Taken({
  next,
  onChoose,
}: {
  next: string[] | null
  onChoose(startsAt: string): void
}) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const zone = useShopZone()
  if (next === null) return null
  return (
    <Banner
      tone="bad"
      title={t('taken')}
      act={
        <span>
          {next.map((startsAt) => (
            <Button key={startsAt} size="xs" m={2} onClick={() => onChoose(startsAt)}>
              {wall.dayAndTime(wallOf(zone, startsAt))}
            </Button>
          ))}
        </span>
      }
    >
      {t(next.length === 0 ? 'none_free_soon' : 'next_free')}
    </Banner>
  )
}
