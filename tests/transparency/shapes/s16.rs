// shape: impl Trait return (tracing #1227), + use<..> (tracing #3110), nested in Result with `?`
// edition: 2024
// expect: 3 0,4 0
pub fn src(v: &[u8]) -> Result<&[u8], String> { if v.is_empty() { Err("e".into()) } else { Ok(v) } }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn iter<'a>(v: &'a [u8], k: &u8) -> impl Iterator<Item = u8> + use<'a> { let k = *k; v.iter().map(move |x| x + k) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn it2(v: &mut [u8]) -> impl Iterator<Item = &mut u8> { v.iter_mut() }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn it3(v: &[u8]) -> Result<impl Iterator<Item = u8> + Clone, String> {
    let v = src(v)?;
    if v.len() > 100 { return Err(String::new()); }
    Ok(v.iter().copied())
}
pub fn main() {
    let mut v = [1, 2];
    println!("{}", iter(&v, &1).sum::<u8>());
    for x in it2(&mut v) { *x += 1; }
    println!("{} {}", it3(&v).map_or(0, |i| i.clone().count()), it3(&[]).is_err());
}
