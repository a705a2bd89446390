import { isPublicAddress } from '../../src/rules/addresses/public-address.ts'
import type { ConformanceCase, Report } from './report.ts'

type AddressCase = { id: string; address: string; public: boolean }

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases as AddressCase[]) {
    await report.check(one.id, () => isPublicAddress(one.address), [one.public])
  }
}
