/** Under this name the browser keeps which company was open last. */
export const LAST_COMPANY = 'wasla.company'
