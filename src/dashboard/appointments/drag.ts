import { useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import type { Move } from './MoveDialog.tsx'
import type { Range } from './open-hours.ts'

/** The height of an hour in the calendar, in pixels. */
export const HOUR_PX = 64
const HOUR_MIN = 60
const DAY_MIN = 24 * HOUR_MIN
/** The interval, in minutes, to which a dragged or chosen time is rounded. */
export const SNAP_MIN = 15
/** A shorter movement counts as a click. */
const MIN_PX = 5

/** Returns the distance in pixels from the top of the grid to a time of day. */
export const topOf = (minutes: number, range: Range): number =>
  ((minutes - range.from) / HOUR_MIN) * HOUR_PX

type Held = { appointment: AppointmentView; day: number; minutes: number; length: number }

/**
 * Handles the dragging of an appointment over the days of a grid, by mouse or pen; touch scrolls. Dropping asks for a
 * confirmation, Escape cancels.
 */
export function useDrag(
  grid: RefObject<HTMLDivElement | null>,
  range: Range,
  onMove: (move: Move) => void,
) {
  const [held, setHeld] = useState<Held | null>(null)
  const wasDragged = useRef(false)

  const grab = (event: ReactPointerEvent<HTMLElement>, appointment: AppointmentView) => {
    wasDragged.current = false
    const mayBeMoved = appointment.status === 'confirmed'
    if (!mayBeMoved || event.button !== 0 || event.pointerType === 'touch') return
    const start = { x: event.clientX, y: event.clientY }
    const grabbedAt = event.clientY - event.currentTarget.getBoundingClientRect().top
    const length = (Date.parse(appointment.endsAt) - Date.parse(appointment.startsAt)) / MINUTE_MS
    const ended = new AbortController()
    const { signal } = ended
    let over: Held | null = null
    const letGo = () => {
      ended.abort()
      setHeld(null)
    }
    window.addEventListener(
      'pointermove',
      (moved) => {
        const far = Math.hypot(moved.clientX - start.x, moved.clientY - start.y)
        if (over === null && far < MIN_PX) return
        wasDragged.current = true
        const place = placeAt(grid.current, range, moved.clientX, moved.clientY - grabbedAt)
        over = place && { appointment, length, ...place }
        setHeld(over)
      },
      { signal },
    )
    window.addEventListener(
      'pointerup',
      () => {
        letGo()
        if (over !== null) {
          onMove({ appointment, to: { day: over.day, minutes: over.minutes } })
        }
      },
      { signal },
    )
    window.addEventListener('pointercancel', letGo, { signal })
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && letGo(), { signal })
  }
  return { held, grab, hasBeenDragged: () => wasDragged.current }
}

function placeAt(
  grid: HTMLDivElement | null,
  range: Range,
  x: number,
  top: number,
): { day: number; minutes: number } | null {
  for (const column of grid?.querySelectorAll<HTMLElement>('[data-day]') ?? []) {
    const box = column.getBoundingClientRect()
    if (x < box.left || x >= box.right) continue
    const minutes = range.from + ((top - box.top) / HOUR_PX) * HOUR_MIN
    const snapped = Math.round(minutes / SNAP_MIN) * SNAP_MIN
    return {
      day: Number(column.dataset['day']),
      minutes: Math.min(Math.max(0, snapped), DAY_MIN - SNAP_MIN),
    }
  }
  return null
}
