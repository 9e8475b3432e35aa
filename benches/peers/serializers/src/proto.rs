//! What `micropb-gen` 0.7 makes of `frames.proto`, for encoding only and without accessors.

pub mod frames_ {
    /// The same fields as the record of 20 bytes; fixed widths, which protobuf writes fastest.
    #[derive(Debug, Default, PartialEq, Clone, Copy)]
    pub struct Frame {
        pub r#kind: i32,
        pub r#first: i32,
        pub r#second: i32,
        pub r#event: u64,
    }
    impl Frame {}
    impl ::micropb::MessageEncode for Frame {
        const MAX_SIZE: ::core::result::Result<usize, &'static str> = 'msg: {
            let mut max_size = 0;
            match ::micropb::const_map!(
                ::core::result::Result::Ok(4usize), | size | size + 1usize
            ) {
                ::core::result::Result::Ok(size) => {
                    max_size += size;
                }
                ::core::result::Result::Err(err) => {
                    break 'msg (::core::result::Result::<usize, _>::Err(err));
                }
            }
            match ::micropb::const_map!(
                ::core::result::Result::Ok(4usize), | size | size + 1usize
            ) {
                ::core::result::Result::Ok(size) => {
                    max_size += size;
                }
                ::core::result::Result::Err(err) => {
                    break 'msg (::core::result::Result::<usize, _>::Err(err));
                }
            }
            match ::micropb::const_map!(
                ::core::result::Result::Ok(4usize), | size | size + 1usize
            ) {
                ::core::result::Result::Ok(size) => {
                    max_size += size;
                }
                ::core::result::Result::Err(err) => {
                    break 'msg (::core::result::Result::<usize, _>::Err(err));
                }
            }
            match ::micropb::const_map!(
                ::core::result::Result::Ok(8usize), | size | size + 1usize
            ) {
                ::core::result::Result::Ok(size) => {
                    max_size += size;
                }
                ::core::result::Result::Err(err) => {
                    break 'msg (::core::result::Result::<usize, _>::Err(err));
                }
            }
            ::core::result::Result::Ok(max_size)
        };
        fn encode<IMPL_MICROPB_WRITE: ::micropb::PbWrite>(
            &self,
            encoder: &mut ::micropb::PbEncoder<IMPL_MICROPB_WRITE>,
        ) -> Result<(), IMPL_MICROPB_WRITE::Error> {
            use ::micropb::{PbMap, FieldEncode};
            {
                let val_ref = &self.r#kind;
                if *val_ref != 0 {
                    encoder.encode_varint32(13u32)?;
                    encoder.encode_sfixed32(*val_ref as _)?;
                }
            }
            {
                let val_ref = &self.r#first;
                if *val_ref != 0 {
                    encoder.encode_varint32(21u32)?;
                    encoder.encode_sfixed32(*val_ref as _)?;
                }
            }
            {
                let val_ref = &self.r#second;
                if *val_ref != 0 {
                    encoder.encode_varint32(29u32)?;
                    encoder.encode_sfixed32(*val_ref as _)?;
                }
            }
            {
                let val_ref = &self.r#event;
                if *val_ref != 0 {
                    encoder.encode_varint32(33u32)?;
                    encoder.encode_fixed64(*val_ref as _)?;
                }
            }
            Ok(())
        }
        fn compute_size(&self) -> usize {
            use ::micropb::{PbMap, FieldEncode};
            let mut size = 0;
            {
                let val_ref = &self.r#kind;
                if *val_ref != 0 {
                    size += 1usize + 4;
                }
            }
            {
                let val_ref = &self.r#first;
                if *val_ref != 0 {
                    size += 1usize + 4;
                }
            }
            {
                let val_ref = &self.r#second;
                if *val_ref != 0 {
                    size += 1usize + 4;
                }
            }
            {
                let val_ref = &self.r#event;
                if *val_ref != 0 {
                    size += 1usize + 8;
                }
            }
            size
        }
    }
}
