import type { ButtonProps } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { useCompanyId } from '../app/company.ts'
import type { PageAddress, PagePath, LinkTarget } from '../app/pages.ts'
import { LinkButton } from './LinkButton.tsx'

type Anchor = Omit<ComponentProps<'a'>, 'href' | keyof LinkProps>
type LinkOptions = Pick<LinkProps, 'activeOptions' | 'activeProps' | 'preload' | 'replace'>

/**
 * A link to a page of the open company: `<PageLink to="contacts/$contact" params={{ contact: id }}>`, or with `at` for
 * an address that is composed elsewhere.
 */
export function PageLink<Path extends PagePath>({
  named,
  ...props
}: (LinkTarget<Path> | { at: PageAddress }) &
  Anchor &
  LinkOptions & {
    children?: ReactNode
    /** Replaces the children: a name that a person has chosen, with its own text direction. */
    named?: ReactNode
  }): ReactNode {
  const place = useLinkTarget(props)
  return named === undefined ? (
    <Link {...place} />
  ) : (
    <Link {...place}>
      <bdi>{named}</bdi>
    </Link>
  )
}

const Shown = LinkButton as ComponentType<object>

/** A link to a page that looks like a button. */
export function PageButton<Path extends PagePath>(
  props: (LinkTarget<Path> | { at: PageAddress }) &
    ButtonProps &
    Omit<Anchor, keyof ButtonProps> & { children?: ReactNode },
): ReactNode {
  return <Shown {...useLinkTarget(props)} />
}

function useLinkTarget(props: object): LinkProps {
  const company = useCompanyId()
  const { at, to, params, ...rest } = props as { at?: string; to?: string; params?: object }
  return { ...rest, to: `/p/$company/${at ?? to}`, params: { company, ...params } } as LinkProps
}
