/** The pages of a company by their paths, typed by the routes: `contacts/$contact`. */
import { useNavigate, type NavigateOptions, type RegisteredRouter } from '@tanstack/react-router'
import { useCompanyId } from './company.ts'

type Routes = RegisteredRouter['routesByPath']
type BelowCompany<Path> = Path extends `/p/$company/${infer Rest}`
  ? Rest extends ''
    ? never
    : Rest
  : never

/** The path of a page below its company: `contacts/$contact`. */
export type PagePath = BelowCompany<keyof Routes>

/** The URL of a page, relative to the company's: `contacts/${string}`. */
export type PageAddress = AddressOf<PagePath>

type AddressOf<Path extends string> = Path extends `${infer Before}$${infer Rest}`
  ? Rest extends `${string}/${infer After}`
    ? `${Before}${string}/${AddressOf<After>}`
    : `${Before}${string}`
  : Path

type ParamOf<Path extends string> = Path extends `${string}$${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | ParamOf<After>
    : Rest
  : never

type SchemaAt<Path extends PagePath> = `/p/$company/${Path}` extends keyof Routes
  ? Routes[`/p/$company/${Path}`]['types']['searchSchema']
  : never

/**
 * The search parameters of a page. The last part matches no name: without it the linter takes the type, which is empty
 * for some pages, for a mistake.
 */
export type SearchAt<Path extends PagePath> = {
  [Name in keyof SchemaAt<Path>]?: SchemaAt<Path>[Name]
} & { [name: `-${string}`]: never }

/** The path parameters of a page. */
export type PageParams<Path extends string> = { [Name in ParamOf<Path>]: string }

/** The target of a link: a page, its path parameters and its search parameters. */
export type LinkTarget<Path extends PagePath> = { to: Path; search?: SearchAt<Path> } & ([
  ParamOf<Path>,
] extends [never]
  ? unknown
  : { params: PageParams<Path> })

/** Returns a function that opens a page of the open company: `go('contacts/$contact', { contact: id })`. */
export function useGo() {
  const company = useCompanyId()
  const navigate = useNavigate()
  return <Path extends PagePath>(
    path: Path,
    params: PageParams<Path>,
    search?: SearchAt<Path>,
  ): Promise<void> =>
    navigate({
      to: `/p/$company/${path}`,
      params: { company, ...params },
      search: search ?? {},
    } as unknown as NavigateOptions)
}
