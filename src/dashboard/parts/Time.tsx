import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFormat, type Format } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { partsWords } from './words.ts'

type Writes = { [Name in keyof Format]: Format[Name] extends (at: string) => string ? Name : never }
type Manner = Extract<Writes[keyof Writes], string>

/** A time in the viewer's zone; its tooltip shows the exact UTC time. */
export function Time({ at, as = 'dateTime' }: { at: string; as?: Manner }) {
  const format = useFormat()
  const t = useWords(partsWords)
  useTicker(as === 'near')
  return (
    <Tooltip label={t('utc', { time: at.slice(0, 19).replace('T', ' ') })}>
      <time dateTime={at}>{format[as](at)}</time>
    </Tooltip>
  )
}

const BEAT_MS = 15_000

/** Renders the component again at an interval, so that relative times stay correct. */
export function useTicker(isOn: boolean, everyMs = BEAT_MS): void {
  const [, setBeat] = useState(0)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setBeat((beat) => beat + 1), everyMs)
    return () => clearInterval(timer)
  }, [isOn, everyMs])
}
