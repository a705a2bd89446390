import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCompanyId } from '../app/company.ts'
import type { PageAddress } from '../app/pages.ts'

/** A link to a page of the company that is open: `<PageLink to="webhooks/new">`. It opens in a tab as any link does. */
export function PageLink({
  to,
  children,
  ...rest
}: { to: PageAddress; children?: ReactNode } & Omit<LinkProps, 'to' | 'params' | 'children'> & {
    className?: string | undefined
  }) {
  const companyId = useCompanyId()
  return (
    <Link to={`/p/${companyId}/${to}` as NonNullable<LinkProps['to']>} {...rest}>
      {children}
    </Link>
  )
}
