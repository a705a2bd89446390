import { Fragment, useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from './Icon.tsx'

/** The id of the top bar's element for crumbs, behind the name of the page. */
export const CRUMBS_PLACE = 'crumbs'

/** The crumbs of a page, behind its name in the top bar; the last one is the open page. */
export function Crumbs({ items }: { items: readonly ReactNode[] }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => setPlace(document.getElementById(CRUMBS_PLACE)), [])
  if (!place) return null
  return createPortal(
    items.map((item, at) => (
      <Fragment key={at}>
        <Icon name="chevron_next" size={14} />
        <span aria-current={at === items.length - 1 ? 'page' : undefined}>{item}</span>
      </Fragment>
    )),
    place,
  )
}
