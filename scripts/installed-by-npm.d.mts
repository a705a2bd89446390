/** Whether npm itself has put into a folder's `node_modules` what its `package-lock.json` asks for. */
export function isInstalledByNpm(folder: string, options: { withDev: boolean }): boolean
